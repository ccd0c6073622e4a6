"""The MCP server of the Python SDK, over standard input and output."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from pasarela import Pasarela
from payments.collect.models import Refund
from payments.links.models import PaymentLink
from tests.sdks.conftest import SDKS
from tests.support.factories import order_body, payout_body

READ = {
    *("get_order", "list_orders", "list_refunds", "get_payout", "list_payouts"),
    *("get_balance", "list_movements", "list_events"),
}
WRITE = {"create_payment_link", "request_refund"}
Ask = Callable[..., Awaitable[Any]]
Session = Callable[[Callable[[Client], Awaitable[Any]]], Any]


@pytest.fixture
def session(environment: dict[str, str]) -> Session:
    """Runs the steps with a client that has started the server."""
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "pasarela", "mcp"],
        env={**environment, "PYTHONPATH": str(SDKS / "python" / "src")},
    )

    def run(steps: Callable[[Client], Awaitable[Any]]) -> Any:
        async def main() -> Any:
            async with Client(command) as client:
                return await steps(client)

        return asyncio.run(main())

    return run


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer
    return json.loads(answer.content[0].text)


def test_tools_read_link_and_ask_for_refunds_but_send_nothing(session: Session) -> None:
    async def steps(client: Client) -> Any:
        return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in session(steps)}
    assert tools.keys() == READ | WRITE
    assert {name for name, tool in tools.items() if tool.annotations.read_only_hint} == READ
    assert all(tool.description for tool in tools.values())


def test_reads_what_the_account_has(session: Session, client: Pasarela) -> None:
    client.sandbox.credit(500_000)
    order = client.orders.create(**order_body())["id"]
    client.sandbox.order(order, status="COMPLETED")
    payout = client.payouts.create(**payout_body())["payoutId"]

    async def steps(mcp: Client) -> None:
        assert (await call(mcp, "get_order", order_id=order))["status"] == "COMPLETED"
        listed = await call(mcp, "list_orders", status="COMPLETED")
        assert [each["id"] for each in listed] == [order]
        assert (await call(mcp, "get_payout", payout_id=payout))["payoutId"] == payout
        assert [each["payoutId"] for each in await call(mcp, "list_payouts")] == [payout]
        assert (await call(mcp, "get_balance"))[0]["held"] > 0
        kinds = {each["kind"] for each in await call(mcp, "list_movements")}
        assert {"collect_settled", "payout_reserved"} <= kinds
        assert [each["event"] for each in await call(mcp, "list_events")] == ["payment.completed"]

    session(steps)


def test_makes_a_link_and_asks_for_a_refund_once(session: Session, client: Pasarela) -> None:
    order = client.orders.create(**order_body())["id"]
    client.sandbox.order(order, status="COMPLETED")

    async def steps(mcp: Client) -> None:
        for _ in range(2):
            link = await call(
                mcp, "create_payment_link", title="Taller", amount=20000, idempotency_key="a"
            )
            refund = await call(
                mcp,
                "request_refund",
                order_id=order,
                amount=10000,
                reason="Agotado",
                idempotency_key="b",
            )
        assert link["url"].startswith("http")
        assert (refund["status"], refund["amount"]) == ("PENDING", 10000)
        assert len(await call(mcp, "list_refunds", order_id=order)) == 1

    session(steps)
    assert PaymentLink.objects.count() == Refund.objects.count() == 1


def test_a_refusal_is_told_to_the_model(session: Session) -> None:
    async def steps(client: Client) -> Any:
        return await client.call_tool("get_order", {"order_id": "col_nothing"})

    answer = session(steps)
    assert answer.is_error
    assert "ORDER_NOT_FOUND" in answer.content[0].text
