"""Payment links: /links and /links/{id} (additions to the contract, docs/gaps.md)."""

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from merchants.authentication import merchant_of
from merchants.models import Currency
from merchants.permissions import key_of
from payments.api import idempotency, openapi, query
from payments.api.envelope import EnvelopeResponse
from payments.api.fields import (
    AmountField,
    Base64Field,
    ChoiceField,
    HttpsUrlField,
    StrictBooleanField,
    TextField,
    TimestampField,
    WholeNumberField,
)
from payments.api.serializing import serialize, validate
from payments.api.timestamps import InputTimestamp
from payments.api.views import ApiViewSet
from payments.core import clock, money
from payments.links.models import (
    COUNT_MAX,
    DESCRIPTION_LENGTH,
    LABEL_LENGTH,
    OWN_FIELDS_MAX,
    TITLE_LENGTH,
    Asked,
    LinkStatus,
    PaymentLink,
)
from payments.links.services import links
from payments.links.services.availability import (
    Availability,
    Figures,
    figures_of,
    find_availability,
    left,
)

MINIMUM = settings.COLLECT_MIN_AMOUNT


class OwnField(serializers.Serializer[PaymentLink]):
    """A question of your own."""

    label = TextField(  # type: ignore[assignment]
        max_length=LABEL_LENGTH, help_text="What the payer reads."
    )
    required = StrictBooleanField(default=False)  # type: ignore[assignment]


def _asked(source: str, default: Asked) -> ChoiceField:
    return ChoiceField(choices=Asked.choices, component="Asked", source=source, default=default)


class Ask(serializers.Serializer[PaymentLink]):
    """What the payer is asked for."""

    name = _asked("ask_name", Asked.REQUIRED)
    email = _asked("ask_email", Asked.REQUIRED)
    document = _asked("ask_document", Asked.NONE)
    phone = _asked("ask_phone", Asked.NONE)


class AskChange(serializers.Serializer[PaymentLink]):
    """What is left out stays."""

    name = ChoiceField(choices=Asked.choices, component="Asked", source="ask_name", required=False)
    email = ChoiceField(
        choices=Asked.choices, component="Asked", source="ask_email", required=False
    )
    document = ChoiceField(
        choices=Asked.choices, component="Asked", source="ask_document", required=False
    )
    phone = ChoiceField(
        choices=Asked.choices, component="Asked", source="ask_phone", required=False
    )


def _nullable(**more: Any) -> dict[str, Any]:
    return {"required": False, "allow_null": True, **more}


class LinkChange(serializers.Serializer[PaymentLink]):
    """Body of PATCH /links/{id}. What is left out stays. `status` moves the link."""

    title = TextField(max_length=TITLE_LENGTH, required=False)
    description = TextField(max_length=DESCRIPTION_LENGTH, required=False, allow_blank=True)
    amount = AmountField(
        minimum=MINIMUM, **_nullable(), help_text="A fixed amount stays fixed, an open one open."
    )
    minAmount = AmountField(minimum=MINIMUM, source="min_amount", **_nullable())
    maxAmount = AmountField(minimum=MINIMUM, source="max_amount", **_nullable())
    ask = AskChange(required=False)
    fields_ = serializers.ListField(
        child=OwnField(), source="own_fields", required=False, max_length=OWN_FIELDS_MAX
    )
    maxUses = WholeNumberField(
        min_value=1, max_value=COUNT_MAX, source="max_uses", **_nullable(help_text="Null: any.")
    )
    stock = WholeNumberField(
        min_value=0,
        max_value=COUNT_MAX,
        **_nullable(help_text="Pieces in all, with those that are sold. Null: any."),
    )
    expiresAt = InputTimestamp(source="expires_at", **_nullable())
    callbackUrl = HttpsUrlField(source="callback_url", **_nullable())
    status = ChoiceField(
        choices=LinkStatus.choices,
        component="PaymentLinkStatus",
        required=False,
        help_text="PAUSED, ACTIVE again, or ENDED for ever. Open orders can still be paid.",
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        """`fields` is an attribute of serializers, so it is declared with `_` at its end."""
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        asked = attrs.pop("ask", {})
        return {**attrs, **asked}


class LinkCreate(LinkChange):
    """Body of POST /links."""

    title = TextField(
        max_length=TITLE_LENGTH, help_text="What is paid. It becomes the order's description."
    )
    description = TextField(max_length=DESCRIPTION_LENGTH, default="", allow_blank=True)
    amount = AmountField(
        minimum=MINIMUM,
        **_nullable(),
        help_text="What you receive; the fee comes on top. Null or absent: the payer chooses.",
    )
    currency = ChoiceField(
        choices=Currency.choices, component="OrderCurrency", default=Currency.COP
    )
    ask = Ask(required=False)  # type: ignore[assignment]
    status = None  # type: ignore[assignment]


class LinkImage(serializers.Serializer[PaymentLink]):
    """Body of POST /links/{id}/image."""

    content = Base64Field(
        allow_null=True,
        help_text="A PNG, JPEG or WebP picture in base64: at most 48,000 bytes before it, and 1024 "
        "pixels a side. Null takes the image away.",
    )


class LinkStatistics(serializers.Serializer[Figures]):
    """Figures of a link so far."""

    visits = serializers.IntegerField(help_text="Browsers, each once a day.")
    orders = serializers.IntegerField()
    open = serializers.IntegerField(help_text="Orders that may still be paid.")
    paid = serializers.IntegerField()
    collected = AmountField(help_text="What you received, in the link's currency.")


class LinkDetail(serializers.Serializer[PaymentLink]):
    """A payment link."""

    id = serializers.CharField(source="pk")
    url = serializers.URLField(help_text="Send it to payers. /qr.svg and /qr.png below it.")
    status = ChoiceField(choices=LinkStatus.choices, component="PaymentLinkStatus")
    availability = serializers.SerializerMethodField(
        help_text="PAYABLE, or why a payer cannot pay now. BUSY: others are paying the last ones."
    )
    title = serializers.CharField()
    description = serializers.CharField()
    imageUrl = serializers.SerializerMethodField(help_text="Set by POST /links/{id}/image.")
    currency = ChoiceField(choices=Currency.choices, component="OrderCurrency")
    amount = AmountField(allow_null=True, help_text="Null: the payer chooses.")
    minAmount = AmountField(source="min_amount", allow_null=True)
    maxAmount = AmountField(source="max_amount", allow_null=True)
    ask = Ask(source="*")
    fields_ = serializers.ListField(child=OwnField(), source="own_fields")
    maxUses = serializers.IntegerField(source="max_uses", allow_null=True)
    stock = serializers.IntegerField(allow_null=True)
    left = serializers.SerializerMethodField(
        help_text="How many more payments by maxUses and stock. Null: any."
    )
    expiresAt = TimestampField(source="expires_at", allow_null=True)
    callbackUrl = serializers.CharField(source="callback_url", allow_null=True)
    statistics = serializers.SerializerMethodField()
    createdAt = TimestampField(source="created_at")
    updatedAt = TimestampField(source="updated_at")

    def get_fields(self) -> dict[str, serializers.Field]:
        """See LinkChange.get_fields."""
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}

    @extend_schema_field(
        ChoiceField(choices=Availability.choices, component="PaymentLinkAvailability")
    )
    def get_availability(self, link: PaymentLink) -> str:
        return find_availability(link, self._figures(link), clock.now()).value

    @extend_schema_field({"type": ["string", "null"], "format": "uri"})
    def get_imageUrl(self, link: PaymentLink) -> str | None:
        return f"{settings.PUBLIC_URL}{link.image.url}" if link.image else None

    @extend_schema_field({"type": ["integer", "null"]})
    def get_left(self, link: PaymentLink) -> int | None:
        return left(link, self._figures(link))

    @extend_schema_field(LinkStatistics)
    def get_statistics(self, link: PaymentLink) -> object:
        return LinkStatistics(self._figures(link)).data

    def _figures(self, link: PaymentLink) -> Figures:
        return link.figures  # type: ignore[attr-defined, no-any-return]


class LinkQuery(query.PageQuery):
    status = query.ChoiceParameter(choices=LinkStatus.values)


@openapi.describe(tags=["Payment links"])
class LinkViewSet(ApiViewSet):
    http_method_names = ["get", "post", "patch", "head"]

    @openapi.creates("createPaymentLink", LinkCreate, LinkDetail)
    def create(self, request: Request) -> EnvelopeResponse:
        """Create a payment link.

        Each payer who opens it fills in a form and makes an order of their own, which is paid,
        reported and refunded like every other order. The order has the link's id as `linkId`.
        """
        key = idempotency.read_key(request, required=False)
        body = self.read_body(LinkCreate, request)
        currency = body.pop("currency")
        link, is_replayed = links.create_link(
            merchant=merchant_of(request),
            new_link=links.NewLink(fields=_trimmed(body, currency), currency=currency),
            actor=key_of(request).pk,
            now=clock.now(),
            idempotency_key=key,
        )
        return self.answer_created(LinkDetail, (_with_figures([link])[0], is_replayed))

    @openapi.lists("listPaymentLinks", LinkQuery, LinkDetail)
    def list(self, request: Request) -> EnvelopeResponse:
        """List your payment links, newest first.

        With their figures.
        """
        filters = validate(LinkQuery, request.query_params)
        found, total = links.list_links(
            merchant=merchant_of(request),
            limit=filters.pop("limit"),
            offset=filters.pop("offset"),
            filters=links.LinkFilters(**filters),
        )
        return self.answer_page(LinkDetail, (_with_figures(found), total))

    @openapi.describe(operation_id="getPaymentLink", responses=LinkDetail)
    def retrieve(self, request: Request, link_id: str) -> EnvelopeResponse:
        """Read one payment link, with its figures.

        `availability` tells whether it can be paid now.
        """
        link = links.find_link(merchant=merchant_of(request), link_id=link_id)
        return self.answer(serialize(LinkDetail, _with_figures([link])[0]))

    @openapi.describe(operation_id="updatePaymentLink", request=LinkChange, responses=LinkDetail)
    def change(self, request: Request, link_id: str) -> EnvelopeResponse:
        """Change a payment link, pause it, resume it or end it.

        Orders that exist keep what they have. The currency does not change, and ENDED is final.
        """
        link = links.find_link(merchant=merchant_of(request), link_id=link_id)
        body = self.read_body(LinkChange, request)
        links.change_link(
            link=link,
            status=body.pop("status", None),
            fields=_trimmed(body, link.currency),
            actor=key_of(request).pk,
            now=clock.now(),
        )
        return self._answer_changed(request, link_id)

    @openapi.describe(
        operation_id="setPaymentLinkImage", request=LinkImage, responses={200: LinkDetail}
    )
    def set_image(self, request: Request, link_id: str) -> EnvelopeResponse:
        """Set the image that payers see beside the amount, or take it away.

        We encode the picture again, so place and device of a photo are not kept. `imageUrl` is
        another one for each picture.
        """
        link = links.find_link(merchant=merchant_of(request), link_id=link_id)
        body = self.read_body(LinkImage, request)
        links.set_image(
            link=link, content=body["content"], actor=key_of(request).pk, now=clock.now()
        )
        return self._answer_changed(request, link_id)

    def _answer_changed(self, request: Request, link_id: str) -> EnvelopeResponse:
        link = links.find_link(merchant=merchant_of(request), link_id=link_id)
        return self.answer(serialize(LinkDetail, _with_figures([link])[0]))


def _with_figures(found: list[PaymentLink]) -> list[PaymentLink]:
    """Two queries for the whole page."""
    known = figures_of([link.pk for link in found])
    for link in found:
        link.figures = known[link.pk]  # type: ignore[attr-defined]
    return found


def _trimmed(body: dict[str, Any], currency: str) -> Any:
    """Zeros behind the decimals of the currency do not count (docs/gaps.md, Amounts)."""
    names = ("amount", "min_amount", "max_amount")
    for name in names:
        if body.get(name) is not None and body[name] == money.truncate(body[name], currency):
            body[name] = money.truncate(body[name], currency)
    return body
