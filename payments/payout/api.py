"""The endpoints of /payout and the fields of their bodies (contract, Payouts)."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from merchants.permissions import PayoutEnabled
from payments.api import openapi, query
from payments.api.envelope import EnvelopeResponse
from payments.api.fields import (
    AmountField,
    ChoiceField,
    DocumentField,
    MetadataField,
    TextField,
    TimestampField,
    check_decimals,
)
from payments.api.serializing import serialize
from payments.core import money
from payments.outgoing import beneficiary_validation
from payments.outgoing.api import (
    KeyInBody,
    OutgoingViewSet,
    PaymentQuery,
    TextOrNull,
)
from payments.outgoing.models import BalanceCurrency
from payments.payout.models import AccountType, Bank, KeyType, Network, Payout, PayoutMethod
from payments.payout.payloads import NETWORK, REASON, REFERENCE, TRACE_CODE, PayoutBeneficiary
from payments.payout.services import catalogue, payouts, qr_codes
from payments.payout.services.engine import PRODUCT
from payments.payout.services.qr_codes import QRDestination
from payments.providers.breb_qr.decoding import MOST_CHARACTERS

# What each network needs, beyond the beneficiary (contract, Payout): field -> source.
NEEDED = {
    Network.BANK: {
        "bankCanonicalId": "bank",
        "accountType": "account_type",
        "accountNumber": "account_number",
    },
    Network.BREB: {"keyType": "key_type", "keyValue": "key_value"},
}
REQUIRED = "This field is required for this network."
PAYING_BALANCE = "Must be the balance that pays: COPM (pesos) or USDT. Payouts arrive in COP."
OPTIONAL: dict[str, Any] = {"default": None, "allow_null": True}


class PayoutCreate(serializers.Serializer[None]):
    """Body of POST /payout (contract, Payout)."""

    amount = AmountField(
        must_be_positive=True, unit=money.FIAT, help_text="What the beneficiary gets, in COP."
    )
    currency = ChoiceField(
        choices=BalanceCurrency.choices,
        default=BalanceCurrency.COPM,
        component="PayoutCurrency",
        error_messages={"invalid_choice": PAYING_BALANCE},
        help_text="The balance that pays: COPM (pesos) or USDT.",
    )
    recipientName = TextField(max_length=200, source="recipient_name")
    recipientDocType = ChoiceField(
        choices=catalogue.DOC_TYPES, source="recipient_doc_type", component="DocumentType"
    )
    recipientDocNumber = DocumentField(max_length=40, source="recipient_doc_number")
    network = TextField(max_length=20, default=Network.BANK, help_text="BANK or BREB.")
    bankCanonicalId = TextField(max_length=60, source="bank", **OPTIONAL)
    accountType = ChoiceField(
        choices=AccountType.choices, component="AccountType", source="account_type", **OPTIONAL
    )
    accountNumber = TextField(max_length=30, source="account_number", **OPTIONAL)
    keyType = ChoiceField(
        choices=KeyType.choices, component="KeyType", source="key_type", **OPTIONAL
    )
    keyValue = TextField(max_length=100, source="key_value", **OPTIONAL)
    description = TextField(max_length=40, default="", allow_blank=True)
    reference = TextField(
        max_length=100,
        default="",
        allow_blank=True,
        help_text="Your own number of the payout. It is in its answers and events, and the "
        "beneficiary does not see it. Several payouts may have the same one.",
    )
    metadata = MetadataField(
        default="{}", help_text="At most 1 KB as compact JSON, 20 levels deep; comes back as sent."
    )
    idempotencyKey = KeyInBody()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Checks what the network needs. The service refuses a network outside the catalogue."""
        check_decimals(attrs["amount"], money.FIAT)
        if attrs["network"] in Network.values:
            _check_destination(attrs, Network(attrs["network"]))
        return attrs


def _check_destination(attrs: dict[str, Any], network: Network) -> None:
    missing = {name: REQUIRED for name, source in NEEDED[network].items() if not attrs[source]}
    if missing:
        raise serializers.ValidationError(missing)
    if network == Network.BANK:
        number = beneficiary_validation.account_number(attrs["account_number"], attrs["bank"])
        if number is None:
            message = beneficiary_validation.form_of_account(attrs["bank"])
            raise serializers.ValidationError({"accountNumber": message})
        attrs["account_number"] = number
    else:
        value = beneficiary_validation.key_value(attrs["key_value"], attrs["key_type"])
        if value is None:
            message = beneficiary_validation.form_of_key(attrs["key_type"])
            raise serializers.ValidationError({"keyValue": message})
        attrs["key_value"] = value


class PayoutDetail(serializers.Serializer[Payout]):
    """A payout (contract, Payout, response)."""

    payoutId = serializers.CharField(source="pk")
    status = ChoiceField(choices=Payout.Status.choices, component="PayoutStatus")
    amount = AmountField()
    feeAmount = AmountField(source="fee_amount", help_text="On top, in COP, paid by the merchant.")
    recipientName = serializers.CharField(source="recipient_name")
    network = serializers.CharField(source="public_network", help_text=NETWORK)
    providerPayoutId = TextOrNull(source="provider_id", help_text=TRACE_CODE)
    createdAt = TimestampField(source="created_at")
    completedAt = TimestampField(source="completed_at", allow_null=True)
    failureReason = TextOrNull(source="public_reason", help_text=REASON)
    reference = TextOrNull(help_text=REFERENCE)
    description = serializers.CharField()
    beneficiary = PayoutBeneficiary(source="*")
    metadata = MetadataField()


class RequiredField(serializers.Serializer[None]):
    """A field that POST /payout needs for the method."""

    key = serializers.CharField()
    required = serializers.BooleanField()  # type: ignore[assignment]
    type = serializers.CharField()
    enum = serializers.ListField(child=serializers.CharField(), required=False)


class CatalogueBank(serializers.Serializer[Bank]):
    """A bank that the method reaches."""

    bankCanonicalId = serializers.CharField(source="slug")
    name = serializers.CharField()


class Limits(serializers.Serializer[PayoutMethod]):
    """Per transaction."""

    maxAmountCop = AmountField(source="max_amount")


class CatalogueMethod(serializers.Serializer[catalogue.Method]):
    """Element of data.methods (contract, Payout catalog)."""

    method = serializers.CharField(source="row.method")
    label = serializers.CharField(source="row.label")  # type: ignore[assignment]
    network = ChoiceField(choices=Network.choices, source="row.network", component="PayoutNetwork")
    currency = serializers.SerializerMethodField()
    minAmount = AmountField(source="row.min_amount", allow_null=True)
    limits = Limits(source="row")
    requiredFields = serializers.SerializerMethodField()
    banks = CatalogueBank(many=True, required=False)

    def get_currency(self, method: catalogue.Method) -> str:
        """Beneficiaries are paid in pesos."""
        return money.FIAT

    @extend_schema_field(RequiredField(many=True))
    def get_requiredFields(self, method: catalogue.Method) -> list[dict[str, object]]:
        """`enum` only where there is a closed list."""
        return [
            {"key": key, "required": required, "type": kind, **({"enum": enum} if enum else {})}
            for key, required, kind, enum in method.required_fields
        ]

    def to_representation(self, method: catalogue.Method) -> dict[str, object]:
        """`banks` only for the method that has them."""
        data = super().to_representation(method)
        if method.row.network != Network.BANK:
            del data["banks"]
        return data


class Catalogue(serializers.Serializer[dict[str, object]]):
    """Answer of GET /payout/methods."""

    enabled = serializers.BooleanField()
    methods = CatalogueMethod(many=True)


class PayoutQrCode(serializers.Serializer[None]):
    """Body of POST /payout/qr."""

    qr = TextField(
        max_length=MOST_CHARACTERS, help_text="What a scanner reads from the picture: `000201...`."
    )


class PayoutQrContent(serializers.Serializer[QRDestination]):
    """What a QR code says. The first five are fields of POST /payout."""

    network = ChoiceField(choices=[Network.BREB.value], component="PayoutQrNetwork")
    keyType = ChoiceField(choices=KeyType.choices, source="key_type", component="KeyType")
    keyValue = serializers.CharField(source="key_value")
    recipientName = serializers.CharField(
        source="code.name", help_text="As the code has it, at most 25 characters."
    )
    amount = AmountField(
        source="code.amount", allow_null=True, help_text="Null: the payer chooses it."
    )
    city = TextOrNull(source="code.city")
    taxId = TextOrNull(source="code.additional.tax_id")
    merchantCode = TextOrNull(source="code.merchant_code")
    reference = TextOrNull(source="code.additional.reference")
    isStatic = serializers.BooleanField(
        source="code.is_static", help_text="false: made for one payment at a shop."
    )


class PayoutQuery(PaymentQuery):
    status = query.ChoiceParameter(choices=Payout.Status.values)


@openapi.describe(tags=["Payouts"])
class PayoutViewSet(OutgoingViewSet):
    product = PRODUCT
    request_serializer = PayoutCreate
    response_serializer = PayoutDetail
    input_type = payouts.NewPayout
    create_payment = payouts.create_payout
    query_serializer = PayoutQuery

    permission_classes = [IsAuthenticated, PayoutEnabled]
    key_permissions = {"create": "payout:create"}
    limit_scopes = {"qr": "read"}

    @openapi.describe(operation_id="listPayoutMethods", responses=Catalogue)
    def methods(self, request: Request) -> EnvelopeResponse:
        """List the methods with their limits, fields and banks.

        Offer these banks to your users; the list changes seldom.
        """
        data = {"enabled": catalogue.is_enabled(), "methods": catalogue.methods()}
        return self.answer(serialize(Catalogue, data))

    @openapi.creates("createPayout", PayoutCreate, PayoutDetail)
    def create(self, request: Request) -> EnvelopeResponse:
        """Send money to a bank account or a Bre-B key.

        The amount and the fee are held of your balance at once. Events tell how it ends.
        """
        return self.create_from(request)

    @openapi.describe(
        operation_id="decodePayoutQr", request=PayoutQrCode, responses={200: PayoutQrContent}
    )
    def qr(self, request: Request) -> EnvelopeResponse:
        """Read the text of a Bre-B QR code, to fill in a payout. Moves nothing.

        The checksum and every field are checked; QR_NOT_VALID tells in details.reason what is
        wrong. The document of the beneficiary is not in a code.
        """
        body = self.read_body(PayoutQrCode, request)
        return self.answer(serialize(PayoutQrContent, qr_codes.read_qr(text=body["qr"])))

    @openapi.lists("listPayouts", PayoutQuery, PayoutDetail)
    def list(self, request: Request) -> EnvelopeResponse:
        """List your payouts, newest first.

        Also those of batches.
        """
        return self.list_page(request)

    @openapi.describe(operation_id="getPayout", responses=PayoutDetail)
    def retrieve(self, request: Request, payout_id: str) -> EnvelopeResponse:
        """Read one payout.

        A PROCESSING payout is with the bank: never send it again under a new key.
        """
        return self.retrieve_one(request, payout_id)
