"""The API by resource. Fields have the names of the API."""

import base64
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import Any, Generic, TypeVar, Unpack, cast

from . import models
from ._paging import LARGEST, Page, by_last, by_offset
from ._transport import Answer, Transport

T = TypeVar("T")
# `from_` is sent as `from`. A datetime needs a time zone.
Filter = str | int | date | None
Amount = Decimal | int


class Resource:
    def __init__(self, transport: Transport) -> None:
        self._http = transport


class Listing(Resource, Generic[T]):
    """`list` reads one page (`limit`, `offset`), `all` every element, page after page."""

    _path: tuple[str, ...]
    _id = "id"

    def list(self, **filters: Filter) -> Page[T]:
        return _page(self._http.get(*self._path, query=_query(filters)))

    def all(self, **filters: Filter) -> Iterator[T]:
        return by_offset(
            lambda offset: self.list(**{**filters, "limit": LARGEST, "offset": offset}), self._id
        )


class Orders(Listing[models.Order]):
    """What payers pay."""

    _path = ("collect",)

    def create(
        self, *, idempotency_key: str | None = None, **order: Unpack[models.NewOrder]
    ) -> models.CreatedOrder:
        answer = self._http.create("collect", body=order, key=idempotency_key)
        return cast(models.CreatedOrder, answer.data)

    def get(self, order_id: str) -> models.Order:
        return cast(models.Order, self._http.get("collect", order_id).data)

    def cancel(self, order_id: str) -> models.Order:
        return cast(models.Order, self._http.post("collect", order_id, "cancel").data)

    def statistics(self) -> models.OrderStatistics:
        return cast(models.OrderStatistics, self._http.get("collect", "stats").data)

    def methods(self, order_id: str) -> list[models.OrderMethod]:
        return cast("list[models.OrderMethod]", self._http.get("collect", order_id, "methods").data)

    def pay(self, order_id: str, **charge: Unpack[models.NewCharge]) -> models.OrderCharge:
        """Direct API. Each call is a new charge."""
        return cast(
            models.OrderCharge, self._http.post("collect", order_id, "pay", body=charge).data
        )


class Refunds(Resource):
    """Money back to a payer. An operator approves each."""

    def create(
        self,
        order_id: str,
        *,
        idempotency_key: str | None = None,
        **refund: Unpack[models.NewRefund],
    ) -> models.Refund:
        """Without an amount: all that is left, with the fee."""
        answer = self._http.create("collect", order_id, "refunds", body=refund, key=idempotency_key)
        return cast(models.Refund, answer.data)

    def get(self, order_id: str, refund_id: str) -> models.Refund:
        return cast(models.Refund, self._http.get("collect", order_id, "refunds", refund_id).data)

    def list(self, order_id: str, **filters: Filter) -> Page[models.Refund]:
        return _page(self._http.get("collect", order_id, "refunds", query=_query(filters)))

    def all(self, order_id: str) -> Iterator[models.Refund]:
        return by_offset(lambda offset: self.list(order_id, limit=LARGEST, offset=offset), "id")


class Payouts(Listing[models.Payout]):
    """From your balance to a bank account or an instant key."""

    _path = ("payout",)
    _id = "payoutId"

    def create(
        self, *, idempotency_key: str | None = None, **payout: Unpack[models.NewPayout]
    ) -> models.Payout:
        return cast(
            models.Payout, self._http.create("payout", body=payout, key=idempotency_key).data
        )

    def get(self, payout_id: str) -> models.Payout:
        return cast(models.Payout, self._http.get("payout", payout_id).data)

    def methods(self) -> models.PayoutMethods:
        return cast(models.PayoutMethods, self._http.get("payout", "methods").data)

    def read_qr(self, qr: str) -> models.PayoutQr:
        """Whom the text of a QR code would pay. It sends nothing."""
        answer = self._http.post("payout", "qr", body={"qr": qr}, safe=True)
        return cast(models.PayoutQr, answer.data)


class PayoutBatches(Listing[models.PayoutBatchEntry]):
    """Many payouts in one request."""

    _path = ("payout", "batches")
    _id = "batchId"

    def create(
        self, *, idempotency_key: str | None = None, **batch: Unpack[models.NewPayoutBatch]
    ) -> models.PayoutBatch:
        answer = self._http.create("payout", "batches", body=batch, key=idempotency_key)
        return cast(models.PayoutBatch, answer.data)

    def get(self, batch_id: str) -> models.PayoutBatch:
        return cast(models.PayoutBatch, self._http.get("payout", "batches", batch_id).data)

    def lines(self, batch_id: str, **filters: Filter) -> Page[models.PayoutBatchItem]:
        return _page(self._http.get("payout", "batches", batch_id, "lines", query=_query(filters)))

    def all_lines(self, batch_id: str, **filters: Filter) -> Iterator[models.PayoutBatchItem]:
        pages = partial(self.lines, batch_id, **filters, limit=LARGEST)
        return by_offset(lambda offset: pages(offset=offset), "number")


class Topups(Listing[models.Topup]):
    """Credit for mobile phones."""

    _path = ("topup",)

    def create(
        self, *, idempotency_key: str | None = None, **topup: Unpack[models.NewTopup]
    ) -> models.Topup:
        return cast(models.Topup, self._http.create("topup", body=topup, key=idempotency_key).data)

    def get(self, topup_id: str) -> models.Topup:
        return cast(models.Topup, self._http.get("topup", topup_id).data)

    def operators(self) -> "list[models.Operator]":
        return cast("list[models.Operator]", self._http.get("topup", "operators").data)


class Bills(Listing[models.BillPayment]):
    """Bills of others, paid from your balance."""

    _path = ("bills", "payments")

    def agreements(self, q: str | None = None, page: int = 1) -> models.Agreements:
        answer = self._http.get("bills", "agreements", query={"q": q, "page": page})
        return cast(models.Agreements, answer.data)

    def check(self, agreement_id: int, reference: str) -> models.BillCheck:
        """What is owed. It charges nothing."""
        body = {"agreementId": agreement_id, "reference": reference}
        answer = self._http.post("bills", "check", body=body, safe=True)
        return cast(models.BillCheck, answer.data)

    def pay(
        self, *, idempotency_key: str | None = None, **bill: Unpack[models.NewBillPayment]
    ) -> models.BillPayment:
        answer = self._http.create("bills", "pay", body=bill, key=idempotency_key)
        return cast(models.BillPayment, answer.data)

    def get(self, payment_id: str) -> models.BillPayment:
        return cast(models.BillPayment, self._http.get("bills", "payments", payment_id).data)


class Links(Listing[models.Link]):
    """Payment links: one address, many payers."""

    _path = ("links",)

    def create(
        self, *, idempotency_key: str | None = None, **link: Unpack[models.NewLink]
    ) -> models.Link:
        return cast(models.Link, self._http.create("links", body=link, key=idempotency_key).data)

    def get(self, link_id: str) -> models.Link:
        return cast(models.Link, self._http.get("links", link_id).data)

    def change(self, link_id: str, **changes: Unpack[models.LinkChange]) -> models.Link:
        return cast(models.Link, self._http.patch("links", link_id, body=changes).data)

    def set_image(self, link_id: str, picture: bytes | None) -> models.Link:
        """A PNG, JPEG or WebP; None takes it away."""
        body = {"content": picture and base64.b64encode(picture).decode()}
        answer = self._http.post("links", link_id, "image", body=body, safe=True)
        return cast(models.Link, answer.data)


class Events(Resource):
    """The log of all events, oldest first, without gaps. Catch up with it after an outage."""

    def list(self, after: str | None = None, limit: int = LARGEST) -> Page[models.FeedEvent]:
        """`after` is the id of the last event that you have."""
        return _page(self._http.get("events", query={"after": after, "limit": limit}))

    def all(self, after: str | None = None) -> Iterator[models.FeedEvent]:
        return by_last(lambda last: self.list(after=last), after)


class BalanceResource(Resource):
    """What you have, and how it came about."""

    def get(self) -> list[models.Balance]:
        return cast("list[models.Balance]", self._http.get("balance").data)

    def movements(self, **filters: Filter) -> Page[models.Movement]:
        return _page(self._http.get("balance", "movements", query=_query(filters)))

    def all_movements(self, **filters: Filter) -> Iterator[models.Movement]:
        """Newest first; exact, also while others are added."""
        return by_last(lambda last: self.movements(**filters, limit=LARGEST, before=last))


class Settlements(Listing[models.Settlement]):
    """The closings of days."""

    _path = ("settlements",)

    def get(self, settlement_id: str) -> models.Settlement:
        return cast(models.Settlement, self._http.get("settlements", settlement_id).data)

    def csv(self, settlement_id: str) -> str:
        """The statement of one closing, for spreadsheets."""
        return self._http.get("settlements", settlement_id, "statement.csv").text

    def html(self, settlement_id: str) -> str:
        """The same as a page, to read and print."""
        return self._http.get("settlements", settlement_id, "statement.html").text

    def statement_csv(self, from_: date, to: date, currency: str = "COPM") -> str:
        """Of these days, both included. For spreadsheets."""
        return self._statement("csv", from_, to, currency)

    def statement_html(self, from_: date, to: date, currency: str = "COPM") -> str:
        """Of these days, both included, as a page to read and print."""
        return self._statement("html", from_, to, currency)

    def _statement(self, kind: str, from_: date, to: date, currency: str) -> str:
        query = _query({"from": from_, "to": to, "currency": currency})
        return self._http.get("settlements", f"statement.{kind}", query=query).text


class WebhookEndpoints(Listing[models.WebhookEndpoint]):
    """Where events are sent. Changes need the permission webhook:manage."""

    _path = ("webhook-endpoints",)

    def create(
        self, *, idempotency_key: str | None = None, **endpoint: Unpack[models.NewWebhookEndpoint]
    ) -> models.WebhookEndpointWithSecret:
        """With the secret, which is shown only here."""
        answer = self._http.create("webhook-endpoints", body=endpoint, key=idempotency_key)
        return cast(models.WebhookEndpointWithSecret, answer.data)

    def get(self, endpoint_id: str) -> models.WebhookEndpoint:
        answer = self._http.get("webhook-endpoints", endpoint_id)
        return cast(models.WebhookEndpoint, answer.data)

    def change(
        self, endpoint_id: str, **changes: Unpack[models.WebhookEndpointChange]
    ) -> models.WebhookEndpoint:
        answer = self._http.patch("webhook-endpoints", endpoint_id, body=changes)
        return cast(models.WebhookEndpoint, answer.data)

    def delete(self, endpoint_id: str) -> None:
        self._http.delete("webhook-endpoints", endpoint_id)

    def rotate_secret(
        self,
        endpoint_id: str,
        *,
        idempotency_key: str | None = None,
        **rotation: Unpack[models.SecretRotation],
    ) -> models.WebhookEndpointWithSecret:
        """With the new secret. For `overlapHours` (24) the old one is valid, too."""
        path = ("webhook-endpoints", endpoint_id, "rotate-secret")
        answer = self._http.create(*path, body=rotation, key=idempotency_key)
        return cast(models.WebhookEndpointWithSecret, answer.data)

    def test(self, endpoint_id: str) -> models.WebhookTest:
        """Sends it the event `webhook.test`."""
        answer = self._http.post("webhook-endpoints", endpoint_id, "test")
        return cast(models.WebhookTest, answer.data)

    def resend(
        self, endpoint_id: str, event_id: str, *, idempotency_key: str | None = None
    ) -> models.WebhookResend:
        """Sends it one event again."""
        return self._resend(endpoint_id, {"eventId": event_id}, idempotency_key)

    def resend_range(
        self,
        endpoint_id: str,
        from_: datetime,
        to: datetime,
        *,
        only_missing: bool = True,
        idempotency_key: str | None = None,
    ) -> models.WebhookResend:
        """Sends it the events of this time again, by default only what it does not have."""
        chosen = {**_query({"from": from_, "to": to}), "onlyMissing": only_missing}
        return self._resend(endpoint_id, chosen, idempotency_key)

    def _resend(
        self, endpoint_id: str, chosen: Mapping[str, object], key: str | None
    ) -> models.WebhookResend:
        answer = self._http.create("webhook-endpoints", endpoint_id, "resend", body=chosen, key=key)
        return cast(models.WebhookResend, answer.data)


class Sandbox(Resource):
    """You play the payer, the bank and the operator. Only in a sandbox."""

    def credit(self, amount: Amount, currency: str = "COPM") -> models.SandboxBalance:
        body = {"amount": amount, "currency": currency}
        return cast(models.SandboxBalance, self._http.post("sandbox", "balance", body=body).data)

    def order(self, order_id: str, **outcome: Unpack[models.OrderOutcome]) -> models.Order:
        return cast(
            models.Order, self._http.post("sandbox", "collect", order_id, body=outcome).data
        )

    def payout(self, payout_id: str, status: str) -> models.Payout:
        body = {"status": status}
        return cast(models.Payout, self._http.post("sandbox", "payout", payout_id, body=body).data)

    def refund(self, refund_id: str, status: str) -> models.Refund:
        body = {"status": status}
        return cast(models.Refund, self._http.post("sandbox", "refund", refund_id, body=body).data)

    def open_dispute(self, order_id: str, **dispute: Unpack[models.NewDispute]) -> models.Dispute:
        answer = self._http.post("sandbox", "collect", order_id, "dispute", body=dispute)
        return cast(models.Dispute, answer.data)

    def decide_dispute(self, dispute_id: str, status: str) -> models.Dispute:
        body = {"status": status}
        answer = self._http.post("sandbox", "dispute", dispute_id, body=body)
        return cast(models.Dispute, answer.data)

    def close_settlement(self, currency: str = "COPM") -> models.SandboxSettlement:
        """Sends settlement.closed with the figures of today so far."""
        answer = self._http.post("sandbox", "settlement", body={"currency": currency})
        return cast(models.SandboxSettlement, answer.data)


def _page(answer: Answer) -> Page[Any]:
    total = answer.headers.get("x-total-count")
    return Page(answer.data, int(total) if total else None)


def _query(filters: Mapping[str, Filter]) -> dict[str, object]:
    return {
        name.rstrip("_"): value.isoformat() if isinstance(value, date) else value
        for name, value in filters.items()
    }
