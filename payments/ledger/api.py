"""The endpoints of /balance (docs/gaps.md, Balance): additions to the contract."""

from decimal import Decimal

from rest_framework import serializers
from rest_framework.request import Request

from merchants.authentication import merchant_of
from payments.api import openapi, query
from payments.api.envelope import EnvelopeResponse
from payments.api.fields import AmountField, ChoiceField, TimestampField
from payments.api.serializing import serialize_many, validate
from payments.api.views import ApiViewSet
from payments.core import money
from payments.ledger import services
from payments.ledger.services.movements import ACCOUNTS, CURRENCIES, KINDS

EMPTY = {"available": Decimal(0), "held": Decimal(0)}


class CurrencyBalance(serializers.Serializer[None]):
    """Element of GET /balance."""

    currency = ChoiceField(choices=CURRENCIES, component="BalanceCurrency")
    available = AmountField(help_text="What may be spent.")
    held = AmountField(help_text="What payouts under way have set aside.")


class MovementDetail(serializers.Serializer[services.Movement]):
    """Element of GET /balance/movements."""

    id = serializers.CharField()
    kind = ChoiceField(choices=KINDS, component="MovementKind")
    subjectId = serializers.CharField(
        source="subject_id",
        help_text="What caused it: the id of an order or a payout; of the account for play money.",
    )
    currency = ChoiceField(choices=CURRENCIES, component="BalanceCurrency")
    account = ChoiceField(choices=ACCOUNTS, component="BalanceAccount")
    amount = AmountField(help_text="Change of the account. Negative if money left the account.")
    balanceAfter = AmountField(
        source="balance_after", help_text="Of this account, after this movement."
    )
    createdAt = TimestampField(source="created_at")


class MovementQuery(query.PageQuery):
    currency = query.ChoiceParameter(choices=CURRENCIES)
    account = query.ChoiceParameter(choices=ACCOUNTS)
    kind = query.ChoiceParameter(choices=KINDS)
    createdFrom = query.TimestampParameter(source="created_from", help_text="Included.")
    createdTo = query.TimestampParameter(source="created_to", help_text="Excluded.")
    before = query.Parameter(
        help_text="The id of a movement: the page begins with the one before it. Not together "
        "with offset."
    )

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        if attrs["before"] is not None and attrs["offset"]:
            raise serializers.ValidationError({"before": "Must not be given together with offset."})
        return attrs


@openapi.describe(tags=["Balance"])
class BalanceViewSet(ApiViewSet):
    query_actions = ("movements",)

    @openapi.describe(operation_id="listBalances", responses=CurrencyBalance(many=True))
    def list(self, request: Request) -> EnvelopeResponse:
        """Read what is available and what is held.

        COPM always, and every other currency that the account has had.
        """
        found = services.balances(merchant_of(request).pk)
        pesos = found.pop(money.BALANCE_OF_FIAT, EMPTY)
        rows = {money.BALANCE_OF_FIAT: pesos, **found}
        data = [{"currency": currency, **balance} for currency, balance in rows.items()]
        return self.answer(serialize_many(CurrencyBalance, data))

    @openapi.lists("listMovements", MovementQuery, MovementDetail)
    def movements(self, request: Request) -> EnvelopeResponse:
        """List the movements of your balances, newest first.

        Each payment, fee, refund and payout is one movement or several.
        """
        filters = validate(MovementQuery, request.query_params)
        page = services.list_movements(
            merchant_id=merchant_of(request).pk,
            limit=filters.pop("limit"),
            offset=filters.pop("offset"),
            filters=services.MovementFilters(**filters),
        )
        return self.answer_page(MovementDetail, page)
