"""The endpoints of /payout/batches, an addition to the contract (docs/gaps.md, Payout batches)."""

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from merchants.authentication import merchant_of
from merchants.models import Merchant
from merchants.permissions import PayoutEnabled, key_of
from payments.api import idempotency, openapi, query
from payments.api.envelope import EnvelopeResponse
from payments.api.fields import AmountField, ChoiceField, MetadataField, TextField, TimestampField
from payments.api.parsers import StrictJSONParser
from payments.api.serializing import serialize, validate
from payments.api.views import ApiViewSet
from payments.core import clock
from payments.core.errors import NotFound, ValidationFailed
from payments.core.ids import is_id
from payments.outgoing.api import KeyInBody, TextOrNull
from payments.outgoing.models import BalanceCurrency
from payments.payout.api import PayoutCreate
from payments.payout.models import Payout
from payments.payout_batches.files import faults, limits
from payments.payout_batches.models import BatchLine, BatchStatus, LineStatus, PayoutBatch
from payments.payout_batches.payloads import WAITS_FOR
from payments.payout_batches.services import creation, results, totals
from payments.payout_batches.services.creation import NewBatch, NewLine

LINE_STATUSES = tuple(
    dict.fromkeys([*(one for one in LineStatus.values if one != "CREATED"), *Payout.Status.values])
)


class BatchNotFound(NotFound):
    message = "There is no such batch."


class LargeJSONParser(StrictJSONParser):
    def most_bytes(self) -> int:
        return int(settings.PAYOUT_BATCH_API_MAX_BYTES)


class PayoutBatchLineCreate(PayoutCreate):
    """A payout of a batch: the fields of POST /payout. Its payout has its metadata."""

    currency = None  # type: ignore[assignment]
    idempotencyKey = None  # type: ignore[assignment]
    reference = TextField(
        max_length=100,
        default="",
        allow_blank=True,
        help_text="Yours. No two lines of a batch have the same.",
    )


class PayoutBatchHead(serializers.Serializer[None]):
    """The body without its lines, which are checked one by one."""

    name = TextField(max_length=200, default="", allow_blank=True, help_text="Of your own.")
    currency = ChoiceField(
        choices=BalanceCurrency.choices,
        default=BalanceCurrency.COPM,
        component="PayoutCurrency",
        help_text="The balance that pays: COPM (pesos) or USDT.",
    )
    idempotencyKey = KeyInBody()


class PayoutBatchCreate(PayoutBatchHead):
    """Body of POST /payout/batches."""

    lines = serializers.ListField(
        child=PayoutBatchLineCreate(), min_length=1, max_length=limits.LINES_MAX
    )


class PayoutBatchSummary(serializers.Serializer[PayoutBatch]):
    """A batch of payouts."""

    batchId = serializers.CharField(source="pk")
    status = ChoiceField(choices=BatchStatus.choices, component="PayoutBatchStatus")
    source = ChoiceField(  # type: ignore[assignment]
        choices=PayoutBatch.Source.choices,
        component="PayoutBatchSource",
        help_text="FILE: uploaded by a person in the console.",
    )
    name = serializers.CharField()
    currency = ChoiceField(choices=BalanceCurrency.choices, component="PayoutCurrency")
    lineCount = serializers.IntegerField(source="line_count", help_text="Lines that can be paid.")
    amount = AmountField(help_text="Of these lines, in COP.")
    feeAmount = AmountField(source="fee_amount", help_text="On top, in COP.")
    waitsFor = TextOrNull(
        source="cause",
        help_text=WAITS_FOR,
    )
    createdAt = TimestampField(source="created_at")
    finishedAt = TimestampField(source="finished_at", allow_null=True)


class PayoutBatchDetail(PayoutBatchSummary):
    """With how many lines have which status."""

    lines = serializers.SerializerMethodField()

    @extend_schema_field({"type": "object", "additionalProperties": {"type": "integer"}})
    def get_lines(self, batch: PayoutBatch) -> dict[str, int]:
        """Of a line with a payout it is the payout's."""
        return totals.lines_by_status(batch)


class PayoutBatchLine(serializers.Serializer[BatchLine]):
    """A line and its payout."""

    number = serializers.IntegerField(help_text="Of the file, or from 1 as the lines were sent.")
    reference = serializers.CharField()
    metadata = MetadataField()
    status = serializers.SerializerMethodField()
    amount = AmountField(allow_null=True)
    feeAmount = AmountField(source="fee_amount", allow_null=True)
    recipientName = serializers.CharField(source="recipient_name")
    payoutId = serializers.CharField(source="payout_id", allow_null=True)
    providerPayoutId = TextOrNull(source="payout.provider_id", help_text="The trace code.")
    reason = serializers.SerializerMethodField()
    warnings = serializers.SerializerMethodField()

    @extend_schema_field(ChoiceField(choices=LINE_STATUSES, component="PayoutBatchLineStatus"))
    def get_status(self, line: BatchLine) -> str:
        return results.state_of(line)

    @extend_schema_field({"type": ["string", "null"]})
    def get_reason(self, line: BatchLine) -> str | None:
        """Why it failed, came back, or was not paid."""
        return results.reason_of(line) or None

    @extend_schema_field({"type": "array", "items": {"type": "string"}})
    def get_warnings(self, line: BatchLine) -> list[str]:
        """Such as the same payment within the last 30 days."""
        return [faults.warning(one) for one in line.warnings]


class PayoutBatchQuery(query.PageQuery):
    status = query.ChoiceParameter(choices=BatchStatus.values)


class PayoutBatchLineQuery(query.PageQuery):
    status = query.ChoiceParameter(choices=LINE_STATUSES)


@openapi.describe(tags=["Payouts"])
class PayoutBatchViewSet(ApiViewSet):
    permission_classes = [IsAuthenticated, PayoutEnabled]
    parser_classes = [LargeJSONParser]
    query_actions = ("list", "lines")
    key_permissions = {"create": "payout:create"}

    @openapi.creates("createPayoutBatch", PayoutBatchCreate, PayoutBatchDetail)
    def create(self, request: Request) -> EnvelopeResponse:
        """Send up to 10,000 payouts at once: all lines are right, or nothing is stored.

        Each line becomes a payout, once, within moments. Lines above the balance wait until there
        is money: `waitsFor` tells.
        """
        key = idempotency.read_key(request, required=True, body_field="idempotencyKey")
        head = self.read_body(PayoutBatchHead, request, described_by=PayoutBatchCreate)
        new = NewBatch(
            merchant=merchant_of(request),
            requested_by=key_of(request).pk,
            idempotency_key=key or "",
            name=head["name"],
            currency=head["currency"],
            lines=_lines(request.data),
        )
        created = creation.create_batch(new, now=clock.now())
        return self.answer_created(PayoutBatchDetail, created)

    @openapi.lists("listPayoutBatches", PayoutBatchQuery, PayoutBatchSummary)
    def list(self, request: Request) -> EnvelopeResponse:
        """List your batches, newest first.

        Also those that people uploaded as files in the console.
        """
        filters = validate(PayoutBatchQuery, request.query_params)
        rows = PayoutBatch.objects.filter(merchant=merchant_of(request))
        if filters["status"]:
            rows = rows.filter(status=filters["status"])
        start = filters["offset"]
        page = rows.order_by("-id")[start : start + filters["limit"]]
        return self.answer_page(PayoutBatchSummary, (page, rows.count()))

    @openapi.describe(operation_id="getPayoutBatch", responses=PayoutBatchDetail)
    def retrieve(self, request: Request, batch_id: str) -> EnvelopeResponse:
        """Read one batch.

        `lines` counts its lines by status.
        """
        return self.answer(serialize(PayoutBatchDetail, _find(merchant_of(request), batch_id)))

    @openapi.lists("listPayoutBatchLines", PayoutBatchLineQuery, PayoutBatchLine)
    def lines(self, request: Request, batch_id: str) -> EnvelopeResponse:
        """List the lines of a batch in their order, with their payouts.

        `reason` tells why a line was not paid.
        """
        filters = validate(PayoutBatchLineQuery, request.query_params)
        rows = _find(merchant_of(request), batch_id).lines.select_related("payout")
        if (status := filters["status"]) in Payout.Status.values:
            rows = rows.filter(payout__status=status)
        elif status:
            rows = rows.filter(status=status)
        start = filters["offset"]
        page = rows.order_by("number")[start : start + filters["limit"]]
        return self.answer_page(PayoutBatchLine, (page, rows.count()))


def _find(merchant: Merchant, batch_id: str) -> PayoutBatch:
    """Raises BatchNotFound, the same for every reason."""
    if is_id(batch_id, PayoutBatch.ID_PREFIX):
        found = PayoutBatch.objects.filter(pk=batch_id, merchant=merchant).first()
        if found is not None:
            return found
    raise BatchNotFound


def _lines(body: Any) -> list[NewLine]:
    """Raises ValidationFailed with the wrong fields of all lines, a hundred at most."""
    sent = body.get("lines")
    if not isinstance(sent, list) or not 1 <= len(sent) <= limits.LINES_MAX:
        raise ValidationFailed({"lines": f"Must be a list of 1 to {limits.LINES_MAX} lines."})
    read, wrong = [], dict[str, str]()
    for place, line in enumerate(sent):
        try:
            read.append(NewLine(**validate(PayoutBatchLineCreate, line)))
        except serializers.ValidationError as error:
            wrong |= _messages(place, error.detail)
        if len(wrong) >= creation.SHOWN_MAX:
            break
    if wrong:
        raise ValidationFailed(wrong)
    return read


def _messages(place: int, detail: Any) -> dict[str, str]:
    if not isinstance(detail, dict):
        return {f"lines.{place}": str(detail[0])}
    found = {}
    for name, texts in detail.items():
        path = f"lines.{place}" if name == "non_field_errors" else f"lines.{place}.{name}"
        found[path] = str(texts[0] if isinstance(texts, list) else texts)
    return found
