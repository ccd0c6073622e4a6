"""The endpoints under /sandbox (docs/gaps.md, Sandbox): additions to the contract."""

from typing import Any, TypeVar

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request

from merchants.authentication import merchant_of
from merchants.models import Method
from payments.api import openapi
from payments.api.envelope import EnvelopeResponse
from payments.api.fields import (
    AmountField,
    ChoiceField,
    TextField,
    TimestampField,
    check_decimals,
)
from payments.api.serializing import serialize
from payments.api.views import ApiViewSet
from payments.collect.api.orders import OrderDetail
from payments.collect.api.refunds import RefundDetail
from payments.collect.models import Dispute, Order, Refund
from payments.collect.payloads import DisputePart
from payments.collect.services.orders import lookup
from payments.core import clock, money
from payments.core.errors import NotFound
from payments.core.ids import is_id
from payments.outgoing.lookup import find_payment
from payments.payout.api import PayoutDetail
from payments.payout.services.engine import PRODUCT
from payments.sandbox import services
from payments.settlement.payloads import DayFigures, SettlementPayload
from payments.settlement.services.day_closing import announce_open_day

R = TypeVar("R", Refund, Dispute)
BALANCES = ("COPM", "USDT", "USDC", "BTC", "ETH")
PAYOUT_OUTCOMES = ("COMPLETED", "FAILED", "REFUNDED")
REFUND_OUTCOMES = ("APPROVED", "REJECTED", *PAYOUT_OUTCOMES)
OUTCOMES = (Order.Status.COMPLETED, Order.Status.FAILED, Order.Status.EXPIRED)


class OrderOutcome(serializers.Serializer[object]):
    """Body of POST /sandbox/collect/{id}."""

    status = ChoiceField(
        choices=[status.value for status in OUTCOMES], component="SandboxCollectionOutcome"
    )
    method = ChoiceField(
        choices=Method.choices,
        component="Method",
        default=None,
        allow_null=True,
        help_text="Default: the one that the payer has chosen, else the first of the order.",
    )
    amount = AmountField(
        must_be_positive=True,
        default=None,
        allow_null=True,
        help_text="What arrives, in the order's currency. Default: what is missing.",
    )


class PayoutOutcome(serializers.Serializer[object]):
    """Body of POST /sandbox/payout/{id}."""

    status = ChoiceField(choices=PAYOUT_OUTCOMES, component="PayoutOutcome")


class RefundOutcome(serializers.Serializer[object]):
    """Body of POST /sandbox/refund/{id}."""

    status = ChoiceField(
        choices=REFUND_OUTCOMES,
        component="RefundOutcome",
        help_text="APPROVED and REJECTED: what our operator decides. The others: what the bank "
        "reports; a refund that waits is approved first.",
    )


class DisputeOpening(serializers.Serializer[object]):
    """Body of POST /sandbox/collect/{id}/dispute."""

    kind = ChoiceField(choices=Dispute.Kind.choices, component="DisputeKind", default="DISPUTE")
    amount = AmountField(
        must_be_positive=True,
        default=None,
        allow_null=True,
        help_text="In the order's currency. Default: what is neither refunded nor contested.",
    )
    reason = TextField(max_length=300, default="Contested in the sandbox")


class DisputeOutcome(serializers.Serializer[object]):
    """Body of POST /sandbox/dispute/{id}."""

    status = ChoiceField(choices=("WON", "LOST"), component="DisputeOutcome")


class DisputeDetail(DisputePart):
    """A dispute, as in its events."""

    orderId = serializers.CharField(source="order_id")
    kind = ChoiceField(choices=Dispute.Kind.choices, component="DisputeKind")
    status = ChoiceField(choices=Dispute.Status.choices, component="DisputeStatus")


class BalanceCredit(serializers.Serializer[object]):
    """Body of POST /sandbox/balance."""

    currency = ChoiceField(choices=BALANCES, component="BalanceCurrency")
    amount = AmountField(must_be_positive=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        check_decimals(attrs["amount"], attrs["currency"])
        return attrs


class Balance(serializers.Serializer[object]):
    """What is available after the credit."""

    currency = ChoiceField(choices=BALANCES, component="BalanceCurrency")
    available = AmountField()


class DayAnnouncement(serializers.Serializer[object]):
    """Body of POST /sandbox/settlement."""

    currency = ChoiceField(
        choices=BALANCES, component="BalanceCurrency", default=money.BALANCE_OF_FIAT
    )


class AnnouncedDay(DayFigures):
    """The figures of today so far. collected = net + fee + tax."""

    id = serializers.CharField(
        source="pk", help_text="New in each answer. GET /settlements does not know it."
    )
    closedAt = TimestampField(source="closed_at", help_text="The time of this request.")
    eventId = serializers.CharField(
        allow_null=True,
        help_text="As in the header webhook-id. Null if neither your account nor one of "
        "your webhook endpoints takes settlement.closed: then nothing is sent.",
    )


@openapi.describe(tags=["Sandbox"])
class SandboxViewSet(ApiViewSet):
    """/sandbox: the developer plays the payer, the bank, and the treasury."""

    @openapi.describe(
        operation_id="sandboxResolveCollection", request=OrderOutcome, responses=OrderDetail
    )
    def collect(self, request: Request, order_id: str) -> EnvelopeResponse:
        """Simulate the outcome of an order.

        The order changes at once, and its webhook is sent as in production.
        """
        order = lookup.find_order(merchant=merchant_of(request), order_id=order_id)
        body = self.read_body(OrderOutcome, request)
        if body["amount"] is not None:
            check_decimals(body["amount"], order.currency)
        services.force_order(order=order, now=clock.now(), **body)
        order.refresh_from_db()
        return self.answer(serialize(OrderDetail, order))

    @openapi.describe(
        operation_id="sandboxResolvePayout", request=PayoutOutcome, responses=PayoutDetail
    )
    def payout(self, request: Request, payout_id: str) -> EnvelopeResponse:
        """Simulate the outcome of a payout.

        The payout changes at once, and its events are sent as in production.
        """
        merchant = merchant_of(request)
        found = find_payment(PRODUCT, merchant=merchant, payment_id=payout_id)
        body = self.read_body(PayoutOutcome, request)
        services.force_payout(payout=found, now=clock.now(), **body)
        found.refresh_from_db()
        return self.answer(serialize(PayoutDetail, found))

    @openapi.describe(
        operation_id="sandboxResolveRefund", request=RefundOutcome, responses=RefundDetail
    )
    def refund(self, request: Request, refund_id: str) -> EnvelopeResponse:
        """Simulate a refund's approval or outcome.

        In production an operator of ours decides, and the payer's bank reports the outcome.
        """
        found = _find(Refund.objects.filter(merchant=merchant_of(request)), "ref", refund_id)
        body = self.read_body(RefundOutcome, request)
        services.force_refund(refund=found, now=clock.now(), **body)
        found.refresh_from_db()
        return self.answer(serialize(RefundDetail, found))

    @openapi.describe(
        operation_id="sandboxCreateDispute",
        request=DisputeOpening,
        responses={201: DisputeDetail},
    )
    def dispute_order(self, request: Request, order_id: str) -> EnvelopeResponse:
        """Open a dispute of a paid order, as the payer would at their bank.

        The disputed amount is held of your balance, as far as it reaches.
        """
        order = lookup.find_order(merchant=merchant_of(request), order_id=order_id)
        body = self.read_body(DisputeOpening, request)
        if body["amount"] is not None:
            check_decimals(body["amount"], order.currency)
        opened = services.open_dispute(order=order, now=clock.now(), **body)
        return self.answer(serialize(DisputeDetail, opened), status=201)

    @openapi.describe(
        operation_id="sandboxResolveDispute", request=DisputeOutcome, responses=DisputeDetail
    )
    def dispute(self, request: Request, dispute_id: str) -> EnvelopeResponse:
        """Decide a dispute, as the payer's bank would.

        WON: the held amount is yours again. LOST: it goes to the payer.
        """
        rows = Dispute.objects.filter(order__merchant=merchant_of(request))
        found = _find(rows, "dis", dispute_id)
        body = self.read_body(DisputeOutcome, request)
        services.decide_dispute(dispute=found, now=clock.now(), **body)
        found.refresh_from_db()
        return self.answer(serialize(DisputeDetail, found))

    @openapi.describe(operation_id="sandboxCreditBalance", request=BalanceCredit, responses=Balance)
    def balance(self, request: Request) -> EnvelopeResponse:
        """Add play money to a balance.

        Use it to try payouts, top-ups and bill payments without a paid order.
        """
        body = self.read_body(BalanceCredit, request)
        available = services.credit_balance(merchant=merchant_of(request), now=clock.now(), **body)
        currency = body["currency"]
        return self.answer(serialize(Balance, {"currency": currency, "available": available}))

    @openapi.describe(
        operation_id="sandboxCloseSettlement", request=DayAnnouncement, responses=AnnouncedDay
    )
    def settlement(self, request: Request) -> EnvelopeResponse:
        """Send settlement.closed with the figures of today so far.

        Use it to test your receiver without waiting for midnight in Bogota. No settlement is
        stored, and no money moves. Each request sends an event of its own.
        """
        body = self.read_body(DayAnnouncement, request)
        now = clock.now()
        row, event = announce_open_day(merchant=merchant_of(request), now=now, **body)
        figures = serialize(SettlementPayload, row)
        return self.answer({**figures, "eventId": event.pk if event else None})


def _find(rows: QuerySet[R], prefix: str, pk: str) -> R:
    """The merchant's row. Raises NotFound, the same for every reason."""
    found = rows.filter(pk=pk).first() if is_id(pk, prefix) else None
    if found is None:
        raise NotFound(f"There is no such {rows.model._meta.verbose_name}.")
    return found
