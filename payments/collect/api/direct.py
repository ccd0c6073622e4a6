"""The Direct API: a shop with its own payment page lists methods and starts charges."""

import re
from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from merchants.authentication import merchant_of
from merchants.permissions import DirectApiEnabled
from payments.api import openapi
from payments.api.envelope import EnvelopeResponse
from payments.api.fields import (
    AmountField,
    ChoiceField,
    DocumentField,
    EmailField,
    HttpsUrlField,
    StrictBooleanField,
    TextField,
    TimestampField,
)
from payments.api.serializing import serialize, serialize_many
from payments.api.views import ApiViewSet
from payments.collect.api.orders import DOC_TYPES
from payments.collect.models import Charge
from payments.collect.services.charges import direct_methods
from payments.collect.services.orders import lookup
from payments.core import clock, money
from payments.providers import ports

# As shops see them (contract, Direct API charge): a QR code is a redirect to our page with it.
FLOWS = {
    ports.Flow.REDIRECT: "redirect",
    ports.Flow.PUSH: "push",
    ports.Flow.KEY: "key",
    ports.Flow.QR: "redirect",
}
_PHONE = re.compile(r"\+?[0-9]{7,15}")
_SEPARATORS = re.compile(r"[\s().-]")
_FIELD_KEY = re.compile(r"[A-Za-z0-9_.-]{1,60}")


class FieldsField(serializers.DictField):
    """An object of strings. Only names that an answer can be written with are echoed."""

    default_error_messages = {
        "not_a_dict": "Must be a JSON object.",
        "key": "Must only have keys of the method's requiredFields.",
    }

    child = TextField(max_length=200, allow_blank=True)

    def to_internal_value(self, data: Any) -> dict[str, str]:
        if isinstance(data, dict) and not all(map(_FIELD_KEY.fullmatch, data)):
            self.fail("key")
        values: dict[str, str] = super().to_internal_value(data)
        return values


class DirectPayer(serializers.Serializer[ports.Payer]):
    """Who pays, where that is not the order's customer (contract, POST /collect/{id}/pay)."""

    name = TextField(max_length=200, required=False, allow_blank=True)
    email = EmailField(max_length=254, required=False, allow_blank=True)
    phone = TextField(max_length=30, required=False, allow_blank=True)
    docType = ChoiceField(choices=DOC_TYPES, component="DocumentType", required=False)
    docNumber = DocumentField(max_length=40, required=False, help_text="Goes with docType.")

    def validate_phone(self, value: str) -> str:
        """Digits without separators, also of other countries."""
        digits = _SEPARATORS.sub("", value)
        if digits and not _PHONE.fullmatch(digits):
            raise serializers.ValidationError(
                "Must be a phone of 7 to 15 digits, as in +573001234567."
            )
        return digits

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        """Type and number must come together.

        A single one would be combined with the customer's document.
        """
        for name, other in (("docType", "docNumber"), ("docNumber", "docType")):
            if name not in attrs and other in attrs:
                raise serializers.ValidationError({name: f"This field is required with {other}."})
        return attrs


class DirectPay(serializers.Serializer[Charge]):
    """Body of POST /collect/{id}/pay."""

    method = TextField(max_length=60, help_text="A key of GET /collect/{id}/methods.")

    def get_fields(self) -> dict[str, serializers.Field]:
        """`fields` cannot be declared: a serializer keeps its own under that name."""
        return {
            **super().get_fields(),
            "fields": FieldsField(default=dict, help_text="The method's requiredFields, by key."),
            "payer": DirectPayer(
                default=dict, allow_null=True, help_text="Default: the order's customer."
            ),
            "returnUrl": HttpsUrlField(
                default=None,
                allow_null=True,
                source="return_url",
                help_text="Only for the flow redirect. Default: the order's payment page.",
            ),
            "acceptedTerms": StrictBooleanField(
                default=False,
                source="accepted_terms",
                help_text="true: the payer accepted the method's terms. Required where it has any.",
            ),
        }

    def validate_payer(self, value: dict[str, object] | None) -> dict[str, object]:
        """null means the same as absent."""
        return value or {}


class FieldOption(serializers.Serializer[ports.FieldOption]):
    """One entry of a list to choose from."""

    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class MethodField(serializers.Serializer[ports.RequiredField]):
    """A field to ask the payer for."""

    key = serializers.CharField()
    type = ChoiceField(
        choices=[kind.value for kind in ports.FieldType], component="MethodFieldType"
    )
    label = serializers.CharField()  # type: ignore[assignment]
    required = serializers.BooleanField()  # type: ignore[assignment]
    options = FieldOption(many=True, required=False, help_text="Of the types with a list.")

    def to_representation(self, field: ports.RequiredField) -> dict[str, object]:
        data = super().to_representation(field)
        if not field.options:
            del data["options"]
        return data


class MethodTerm(serializers.Serializer[ports.Term]):
    """A document that the payer must accept before paying."""

    url = serializers.URLField()
    label = serializers.CharField()  # type: ignore[assignment]


class MethodDescriptor(serializers.Serializer[ports.DirectMethod]):
    """Element of GET /collect/{id}/methods (contract, Direct API method descriptor)."""

    method = serializers.CharField(source="key")
    label = serializers.CharField()  # type: ignore[assignment]
    uiType = ChoiceField(
        choices=[kind.value for kind in ports.UiType], component="UiType", source="ui_type"
    )
    currency = serializers.SerializerMethodField()
    minAmount = AmountField(source="min_amount")
    requiredFields = MethodField(many=True, source="required_fields")
    terms = MethodTerm(
        many=True,
        required=False,
        help_text="Show the links to the payer, who accepts them: `acceptedTerms`. Absent without.",
    )

    def to_representation(self, method: ports.DirectMethod) -> dict[str, object]:
        data = super().to_representation(method)
        if not method.terms:
            del data["terms"]
        return data

    def get_currency(self, method: ports.DirectMethod) -> str:
        """Payers pay in pesos."""
        """Payers pay in pesos."""
        return money.FIAT


class DirectCharge(serializers.Serializer[Charge]):
    """Answer of POST /collect/{id}/pay (contract, Direct API charge)."""

    paymentUrl = serializers.SerializerMethodField()
    transactionId = serializers.CharField(source="provider_id")
    method = serializers.CharField(source="direct_method")
    flow = ChoiceField(choices=list(dict.fromkeys(FLOWS.values())), component="ChargeFlow")
    keyValue = serializers.CharField(
        source="key_value", required=False, help_text="Only for the flow key."
    )
    expiresAt = TimestampField(
        source="expires_at", required=False, help_text="Only for the flow key."
    )

    @extend_schema_field({"type": ["string", "null"], "format": "uri"})
    def get_paymentUrl(self, charge: Charge) -> str | None:
        if FLOWS[ports.Flow(charge.flow)] != "redirect":
            return None
        if charge.flow == ports.Flow.QR:
            return charge.order.collect_url
        # Where the rail's page is not there yet, a page of ours waits for it.
        return charge.redirect_url or f"{settings.PUBLIC_URL}/pay/{charge.order.token}/go"

    def to_representation(self, charge: Charge) -> dict[str, object]:
        """Only the flow key has `keyValue` and `expiresAt`."""
        data = super().to_representation(charge)
        data["flow"] = FLOWS[ports.Flow(charge.flow)]
        if charge.flow != ports.Flow.KEY:
            del data["keyValue"], data["expiresAt"]
        return data


@openapi.describe(tags=["Direct API"])
class DirectViewSet(ApiViewSet):
    permission_classes = [IsAuthenticated, DirectApiEnabled]

    @openapi.describe(operation_id="listCollectionMethods", responses=MethodDescriptor(many=True))
    def methods(self, request: Request, order_id: str) -> EnvelopeResponse:
        """List the methods that can pay the order.

        With the fields that each needs. Choose one and start the payment with it.
        """
        order = lookup.find_order(merchant=merchant_of(request), order_id=order_id)
        found = direct_methods.list_methods(order=order, now=clock.now())
        return self.answer(serialize_many(MethodDescriptor, found))

    @openapi.describe(
        operation_id="payCollection", request=DirectPay, responses={200: DirectCharge}
    )
    def pay(self, request: Request, order_id: str) -> EnvelopeResponse:
        """Start a payment of the order; each call is a new one.

        Only the signed webhook confirms a payment, never the payer's return.
        """
        order = lookup.find_order(merchant=merchant_of(request), order_id=order_id)
        body = self.read_body(DirectPay, request)
        choice = direct_methods.DirectChoice(**body)
        charge = direct_methods.start_direct_charge(order=order, choice=choice, now=clock.now())
        return self.answer(serialize(DirectCharge, charge))
