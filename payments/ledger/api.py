"""The endpoints of /balance (docs/gaps.md, Balance): additions to the contract."""

from decimal import Decimal
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from merchants.authentication import merchant_of
from payments.api import openapi
from payments.api.envelope import Answer
from payments.api.fields import AmountField, ChoiceField, TimestampField
from payments.api.pagination import Query
from payments.api.serializing import serialize_many
from payments.api.views import ApiViewSet
from payments.core import money
from payments.core.errors import ValidationFailed
from payments.ledger import services
from payments.ledger.services.movements import ACCOUNTS, KINDS

CURRENCIES = ("COPM", "USDT", "USDC", "BTC", "ETH")
EMPTY = {"available": Decimal(0), "held": Decimal(0)}


class CurrencyBalance(serializers.Serializer[Any]):
    """Element of GET /balance."""

    currency = ChoiceField(choices=CURRENCIES, component="BalanceCurrency")
    available = AmountField(help_text="What may be spent.")
    held = AmountField(help_text="What payouts under way have set aside.")


class MovementDetail(serializers.Serializer[Any]):
    """Element of GET /balance/movements."""

    id = serializers.CharField()
    kind = ChoiceField(choices=KINDS, component="MovementKind")
    subjectId = serializers.CharField(
        source="subject_id",
        help_text="What caused it: the id of an order or a payout; of the account for play money.",
    )
    currency = ChoiceField(choices=CURRENCIES, component="BalanceCurrency")
    account = ChoiceField(choices=ACCOUNTS, component="BalanceAccount")
    amount = AmountField(help_text="Below zero: it left this account.")
    balanceAfter = AmountField(
        source="balance_after", help_text="Of this account, after this movement."
    )
    createdAt = TimestampField(source="created_at")


MOVEMENT_PARAMETERS = [
    *openapi.PAGE,
    OpenApiParameter(
        "before",
        str,
        description="The id of a movement: the page begins with the one before it. Not together "
        "with offset.",
    ),
    OpenApiParameter("currency", {"type": "string", "enum": list(CURRENCIES)}),
    OpenApiParameter("account", {"type": "string", "enum": ACCOUNTS}),
    OpenApiParameter("kind", {"type": "string", "enum": KINDS}),
    OpenApiParameter("createdFrom", OpenApiTypes.DATETIME, description="Included."),
    OpenApiParameter("createdTo", OpenApiTypes.DATETIME, description="Excluded."),
    openapi.TOTAL_COUNT,
]


@extend_schema(tags=["Balance"])
class BalanceViewSet(ApiViewSet):
    """/balance: what the merchant has with us, and how it came to that."""

    @extend_schema(operation_id="getBalance", responses=CurrencyBalance(many=True))
    def list(self, request: Request) -> Answer:
        """Read what is available and what is held.

        COPM always, and every other currency that the account has had.
        """
        found = services.balances(merchant_of(request).pk)
        pesos = found.pop(money.BALANCE_OF_FIAT, EMPTY)
        rows = {money.BALANCE_OF_FIAT: pesos, **found}
        data = [{"currency": currency, **balance} for currency, balance in rows.items()]
        return self.answer(serialize_many(CurrencyBalance, data))

    @extend_schema(
        operation_id="listMovements",
        parameters=MOVEMENT_PARAMETERS,
        responses=MovementDetail(many=True),
    )
    def movements(self, request: Request) -> Answer:
        """List the movements of the merchant's balances, newest first."""
        query = Query(request.query_params)
        page = query.page()
        filters = services.MovementFilters(
            currency=query.choice("currency", list(CURRENCIES)),
            account=query.choice("account", ACCOUNTS),
            kind=query.choice("kind", KINDS),
            created_from=query.moment("createdFrom"),
            created_to=query.moment("createdTo"),
            before=query.text("before"),
        )
        query.check()
        if filters.before is not None and page.offset:
            raise ValidationFailed({"before": "Must not be given together with offset."})
        rows, total = services.list_movements(
            merchant_id=merchant_of(request).pk,
            limit=page.limit,
            offset=page.offset,
            filters=filters,
        )
        return self.answer(
            serialize_many(MovementDetail, rows), headers={"X-Total-Count": str(total)}
        )
