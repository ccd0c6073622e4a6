"""An MCP server: reads, makes payment links, asks for refunds.

It sends no payouts, top-ups or bill payments, and never will: those move the account's money at
once. A refund is only asked for here; an operator, a second person, approves it.
"""

from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from . import _json
from ._client import Pasarela
from ._version import __version__
from .errors import PasarelaError

READ = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITE = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True)
INSTRUCTIONS = (
    "One merchant's account at Pasarela. Amounts are in the currency beside them; COPM is the "
    "balance in pesos. Only status COMPLETED of an order means that it is paid. Payouts cannot be "
    "made here: a person makes them, and a second person approves."
)


def server(client: Pasarela) -> MCPServer:
    made = MCPServer("pasarela", version=__version__, instructions=INSTRUCTIONS)
    for tool in (*_readers(client), *_lists(client)):
        made.add_tool(tool, annotations=READ, structured_output=False)
    for tool in _writers(client):
        made.add_tool(tool, annotations=WRITE, structured_output=False)
    return made


def _readers(client: Pasarela) -> list[Any]:
    def get_order(order_id: str) -> str:
        """One collection order: status, amounts, payer, payment page."""
        return _said(lambda: client.orders.get(order_id))

    def list_refunds(order_id: str) -> str:
        """The refunds of an order, with their statuses."""
        return _said(lambda: client.refunds.list(order_id).items)

    def get_payout(payout_id: str) -> str:
        """One payout: status, amount, beneficiary (masked), reason of a failure."""
        return _said(lambda: client.payouts.get(payout_id))

    def get_balance() -> str:
        """What is available and what is held, by currency."""
        return _said(client.balance.get)

    return [get_order, list_refunds, get_payout, get_balance]


def _lists(client: Pasarela) -> list[Any]:
    def list_orders(
        status: str | None = None, reference: str | None = None, limit: int = 20, offset: int = 0
    ) -> str:
        """Collection orders, newest first. Statuses: PENDING, PROCESSING, WAITING_TRANSFER,
        COMPLETED, FAILED, EXPIRED. `reference` is the merchant's own number of the order."""
        return _said(
            lambda: (
                client.orders.list(
                    status=status, reference=reference, limit=limit, offset=offset
                ).items
            )
        )

    def list_payouts(status: str | None = None, limit: int = 20, offset: int = 0) -> str:
        """Payouts, newest first. Statuses: PENDING, PROCESSING, COMPLETED, FAILED, REFUNDED."""
        return _said(lambda: client.payouts.list(status=status, limit=limit, offset=offset).items)

    def list_events(after: str | None = None, limit: int = 20) -> str:
        """What happened, oldest first. `after` is the id of an event."""
        return _said(lambda: client.events.list(after=after, limit=limit).items)

    def list_movements(
        currency: str | None = None, before: str | None = None, limit: int = 20
    ) -> str:
        """Movements of the balance, newest first. `before` is the id of a movement."""
        return _said(
            lambda: client.balance.movements(currency=currency, before=before, limit=limit).items
        )

    return [list_orders, list_payouts, list_events, list_movements]


def _writers(client: Pasarela) -> list[Any]:
    def create_payment_link(
        title: str,
        idempotency_key: str,
        amount: int | None = None,
        description: str = "",
        max_uses: int | None = None,
    ) -> str:
        """A page on which anyone with its address pays. `amount` in whole pesos; without it the
        payer chooses. The same `idempotency_key` again returns the same link."""
        fields: Any = {"title": title, "amount": amount, "description": description}
        if max_uses is not None:
            fields["maxUses"] = max_uses
        return _said(lambda: client.links.create(idempotency_key=idempotency_key, **fields))

    def request_refund(
        order_id: str, reason: str, idempotency_key: str, amount: int | None = None
    ) -> str:
        """Asks to give money of a paid order back to its payer. An operator decides. `amount` in
        whole pesos; without it all that is left, with the fee. The same `idempotency_key` again
        returns the same refund."""
        fields: Any = {"reason": reason} | ({} if amount is None else {"amount": amount})
        return _said(
            lambda: client.refunds.create(order_id, idempotency_key=idempotency_key, **fields)
        )

    return [create_payment_link, request_refund]


def _said(do: Any) -> str:
    """As JSON with exact amounts; a refusal as the tool's error, which the model reads."""
    try:
        return _json.dumps(do())
    except PasarelaError as error:
        raise ToolError(str(error)) from error
