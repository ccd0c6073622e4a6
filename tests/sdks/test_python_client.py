"""The Python SDK does a merchant's work with the service."""

import json
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from merchants.models import Merchant
from pasarela import (
    AuthenticationFailed,
    InvalidRequest,
    NotFound,
    Pasarela,
    PermissionDenied,
    RateLimited,
    ServiceUnavailable,
    codes,
)
from payments.collect.models import Order
from payments.payout.models import Payout
from tests.contract.wire import running_server
from tests.support.factories import issue_key, order_body, payout_body


def test_an_order_is_created_and_read(client: Pasarela) -> None:
    made = client.orders.create(**order_body(amount=Decimal("50000.50"), metadata={"cart": "A-7"}))
    read = client.orders.get(made["id"])
    assert Order.objects.get().base_amount == Decimal("50000.50")
    assert read["baseAmount"] == Decimal("50000.50")
    assert made["amount"] == read["amount"] == read["baseAmount"] + read["feeAmount"]
    assert isinstance(client.orders.create(**order_body())["baseAmount"], Decimal)
    assert read["metadata"] == {"cart": "A-7"}
    assert client.orders.statistics()["pending"] == 2


def test_the_same_key_twice_is_one_order(client: Pasarela) -> None:
    body = order_body()
    first, again = (client.orders.create(idempotency_key="once", **body) for _ in range(2))
    assert first == again
    assert Order.objects.count() == 1


def test_all_walks_every_page_and_list_reads_one(client: Pasarela) -> None:
    made = [client.orders.create(**order_body())["id"] for _ in range(3)]
    page = client.orders.list(limit=2)
    assert [order["id"] for order in page] == made[:0:-1]
    assert (len(page), page.total) == (2, 3)
    assert [order["id"] for order in client.orders.all(status="PENDING")] == made[::-1]


def test_iterators_pass_the_end_of_a_page(
    client: Pasarela, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("_paging", "_resources"):
        monkeypatch.setattr(f"pasarela.{module}.LARGEST", 2)
    made = [_paid(client)["id"] for _ in range(5)]
    assert [order["id"] for order in client.orders.all()] == made[::-1]
    events = [event["data"]["id"] for event in _limited(client)]
    assert events == made
    amounts = [movement["subjectId"] for movement in client.balance.all_movements()]
    assert len(amounts) == len(set(amounts)) == 5


def _limited(client: Pasarela) -> Iterator[Any]:
    """Events, two a page."""
    from pasarela._paging import by_last

    return by_last(lambda last: client.events.list(after=last, limit=2))


def test_refusals_are_classes(client: Pasarela, address: str) -> None:
    body = order_body()
    client.orders.create(**body)
    with pytest.raises(InvalidRequest) as taken:
        client.orders.create(**body)
    assert (taken.value.code, taken.value.field) == ("VALIDATION_ERROR", "reference")
    assert set(taken.value.fields) == {"reference"}
    assert taken.value.request_id
    assert taken.value.idempotency_key
    with pytest.raises(NotFound) as absent:
        client.orders.get("col_nothing")
    assert absent.value.code == "ORDER_NOT_FOUND"
    with pytest.raises(AuthenticationFailed, match=r"API_KEY|CREDENTIALS"):
        Pasarela("pk_wrong", "sk_wrong", base_url=address).orders.list()


def test_missing_permission_and_product_that_is_not_enabled(
    client: Pasarela, merchant: Merchant, address: str
) -> None:
    key, secret = issue_key(merchant)
    with pytest.raises(PermissionDenied):
        Pasarela(key.public_key, secret, base_url=address).payouts.create(**payout_body())
    merchant.topup_enabled = False
    merchant.save()
    client.transport.sleep = None  # type: ignore[assignment]  # it is not sent again
    with pytest.raises(ServiceUnavailable) as off:
        client.topups.create(phone="3001234567", operatorCode="claro", amountCop=5000)
    assert (off.value.code, off.value.retry_after) == ("TOPUP_NOT_ENABLED", None)


def test_too_many_requests_say_when_to_come_back(keys: tuple[str, str]) -> None:
    with running_server(RATE_LIMIT_COLLECT_CREATE="1/m") as server:
        base = f"http://127.0.0.1:{server.port}"
        client = Pasarela(*keys, base_url=base, retries=0)
        with pytest.raises(RateLimited) as many:
            _create(client, 4)  # a new minute may begin once
    assert many.value.code == "RATE_LIMIT_EXCEEDED"
    assert many.value.retry_after is not None
    assert 1 <= many.value.retry_after <= 60


def test_a_refund_is_asked_for_and_completed(client: Pasarela) -> None:
    order = _paid(client)
    refund = client.refunds.create(order["id"], amount=20000, reason="Agotado")
    assert (refund["status"], refund["amount"]) == ("PENDING", 20000)
    assert client.sandbox.refund(refund["id"], "COMPLETED")["status"] == "COMPLETED"
    assert client.refunds.get(order["id"], refund["id"])["status"] == "COMPLETED"
    assert [each["id"] for each in client.refunds.all(order["id"])] == [refund["id"]]


def test_a_payout_is_sent_from_the_balance(client: Pasarela) -> None:
    credited = client.sandbox.credit(Decimal("500000.25"))
    assert credited == {"currency": "COPM", "available": Decimal("500000.25")}
    made = client.payouts.create(**payout_body())
    payout = Payout.objects.get()
    assert (made["payoutId"], made["feeAmount"]) == (payout.pk, payout.fee_amount)
    assert client.payouts.get(payout.pk)["status"] == "PENDING"
    assert [each["payoutId"] for each in client.payouts.all()] == [payout.pk]
    (copm,) = [each for each in client.balance.get() if each["currency"] == "COPM"]
    assert copm["held"] == made["amount"] + made["feeAmount"]


def test_the_other_resources_answer(client: Pasarela) -> None:
    client.sandbox.credit(1_000_000)
    link = client.links.create(title="Taller", amount=20000)
    assert client.links.change(link["id"], title="Taller de café")["title"] == "Taller de café"
    assert [each["id"] for each in client.links.all()] == [link["id"]]
    assert client.payouts.methods()["enabled"] is True
    operator = client.topups.operators()[0]["code"]
    topup = client.topups.create(phone="3990001001", operatorCode=operator, amountCop=5000)
    assert client.topups.get(topup["id"])["status"] == "completed"
    agreement = client.bills.agreements()["items"][0]["agreementId"]
    owed = client.bills.check(agreement, "9999003001")["products"][0]["amount"]
    bill = client.bills.pay(agreementId=agreement, reference="9999003001", amountCop=int(owed))
    assert client.bills.get(bill["id"])["status"] == "completed"
    line = payout_body(reference="1")
    batch = client.payout_batches.create(lines=[line], name="Nómina")
    assert client.payout_batches.get(batch["batchId"])["lineCount"] == 1
    assert [each["batchId"] for each in client.payout_batches.all()] == [batch["batchId"]]
    assert len(client.payout_batches.lines(batch["batchId"])) == 1
    assert client.settlements.list().items == []
    assert "COPM" in client.settlements.statement_csv(date(2026, 3, 1), date(2026, 3, 2))


def _paid(client: Pasarela) -> Any:
    made = client.orders.create(**order_body())
    return client.sandbox.order(made["id"], status="COMPLETED")


def test_webhook_endpoints_are_made_changed_and_deleted(client: Pasarela) -> None:
    made = client.webhook_endpoints.create(
        url="https://example.com/hook", events=["payout.completed"], description="ERP"
    )
    assert made["secret"].startswith("whsec_")
    changed = client.webhook_endpoints.change(made["id"], events=["payout.failed"])
    assert client.webhook_endpoints.get(made["id"]) == changed
    own, second = client.webhook_endpoints.all()
    assert (own["account"], second["events"]) == (True, ["payout.failed"])
    client.webhook_endpoints.delete(made["id"])
    assert len(client.webhook_endpoints.list()) == 1


def test_each_code_has_a_class(client: Pasarela, document_file: Path) -> None:
    listed = json.loads(document_file.read_text())["components"]["schemas"]["ErrorBody"]
    known = listed["properties"]["code"]["x-extensible-enum"]
    assert set(known) - set(codes.BY_CODE) <= {"METHOD_NOT_ALLOWED"}
    with pytest.raises(codes.InsufficientBalance) as error:
        client.payouts.create(**payout_body())
    assert isinstance(error.value, InvalidRequest)
    assert error.value.details["available"] == 0
    client.orders.create(idempotency_key="once", **order_body())
    with pytest.raises(codes.IdempotencyKeyReused):
        client.orders.create(idempotency_key="once", **order_body())


def _create(client: Pasarela, times: int) -> None:
    for _ in range(times):
        client.orders.create(**order_body())
