"""The endpoints of /settlements (docs/gaps.md, Settlement): additions to the contract."""

from collections.abc import Callable
from contextlib import closing

from django.http import HttpResponse, StreamingHttpResponse
from django.utils import translation
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from merchants.authentication import merchant_of
from payments.api import openapi, query
from payments.api.envelope import EnvelopeResponse
from payments.api.fields import AmountField, ChoiceField, TimestampField
from payments.api.serializing import serialize, serialize_many, validate
from payments.api.views import ApiViewSet
from payments.core import clock, money
from payments.ledger.services.movements import CURRENCIES
from payments.settlement import documents
from payments.settlement.days import Period
from payments.settlement.models import Settlement, SettlementLine, TaxKind
from payments.settlement.payloads import DayFigures
from payments.settlement.services import settlements, statements
from payments.settlement.services.statements import Statement
from payments.settlement.statement_lock import StatementLock

CSV_FILE = {(200, "text/csv"): OpenApiTypes.STR}
HTML_PAGE = {(200, "text/html"): OpenApiTypes.STR}
# One rate limit for all statements: each costs as much as a hundred other reads.
STATEMENTS = {"csv": "statement", "page": "statement"}


class TaxLine(serializers.Serializer[SettlementLine]):
    """A tax on our fee. INCLUDED is a part of it, WITHHELD is only stated."""

    name = serializers.CharField()
    kind = ChoiceField(choices=TaxKind.choices, component="TaxKind")
    rate = AmountField(help_text="0.19 is 19%.")
    base = AmountField(help_text="Our fee without the taxes in it.")
    amount = AmountField()


class SettlementDetail(DayFigures):
    """A closed day of one balance. collected = net + fee + tax."""

    openingBalance = AmountField(source="opening_balance", help_text="Available and held.")
    openingHeld = AmountField(source="opening_held", help_text="The part of it that was held.")
    closingBalance = AmountField(source="closing_balance", help_text="Available and held.")
    closingHeld = AmountField(source="closing_held", help_text="The part of it that was held.")
    taxLines = serializers.SerializerMethodField()
    closedAt = TimestampField(source="closed_at")

    @extend_schema_field(TaxLine(many=True))
    def get_taxLines(self, settlement: Settlement) -> list[dict[str, object]]:
        lines = sorted(settlement.tax_lines.all(), key=lambda line: line.pk)
        return serialize_many(TaxLine, lines)


class SettlementQuery(query.PageQuery):
    currency = query.ChoiceParameter(choices=CURRENCIES)
    from_ = query.DayParameter(source="first", help_text="First day in Bogota, included.")
    to = query.DayParameter(source="last", help_text="Last day in Bogota, included.")


class PeriodQuery(query.QuerySerializer):
    currency = query.ChoiceParameter(choices=CURRENCIES, default=money.BALANCE_OF_FIAT)
    from_ = query.DayParameter(source="first", required=True, help_text="Included.")
    to = query.DayParameter(source="last", required=True, help_text="Included; today at most.")


@openapi.describe(tags=["Settlements"])
class SettlementViewSet(ApiViewSet):
    limit_scopes = STATEMENTS

    @openapi.lists("listSettlements", SettlementQuery, SettlementDetail)
    def list(self, request: Request) -> EnvelopeResponse:
        """List the closed days, newest first.

        One for each day and currency.
        """
        filters = validate(SettlementQuery, request.query_params)
        page = settlements.list_settlements(
            merchant=merchant_of(request),
            limit=filters.pop("limit"),
            offset=filters.pop("offset"),
            filters=settlements.SettlementFilters(**filters),
        )
        return self.answer_page(SettlementDetail, page)

    @openapi.describe(operation_id="getSettlement", responses=SettlementDetail)
    def retrieve(self, request: Request, settlement_id: str) -> EnvelopeResponse:
        """Read one closed day with its tax lines.

        A closed day never changes.
        """
        return self.answer(serialize(SettlementDetail, _found(request, settlement_id)))

    @openapi.describe(operation_id="downloadSettlementCsv", responses=CSV_FILE)
    def csv(self, request: Request, settlement_id: str) -> StreamingHttpResponse:
        """Download the statement of the day as CSV.

        Opening balance, every movement with the balance after it, closing balance; then a row for
        each tax line (tax_included, tax_withheld), which moves nothing.
        """
        return _csv(request, lambda: _of_day(_found(request, settlement_id)))

    @openapi.describe(operation_id="downloadSettlementHtml", responses=HTML_PAGE)
    def page(self, request: Request, settlement_id: str) -> HttpResponse:
        """Download the statement of the day as a page to print.

        The same figures as in the CSV.
        """
        return _page(request, lambda: _of_day(_found(request, settlement_id)))


@openapi.describe(tags=["Settlements"])
class StatementViewSet(ApiViewSet):
    query_actions = ("csv", "page")
    limit_scopes = STATEMENTS

    @openapi.describe(
        operation_id="downloadStatementCsv", parameters=[PeriodQuery], responses=CSV_FILE
    )
    def csv(self, request: Request) -> StreamingHttpResponse:
        """Download the statement of any period as CSV.

        As that of a day, with the tax lines of each closed day of the period.
        """
        return _csv(request, lambda: _of_period(request))

    @openapi.describe(
        operation_id="downloadStatementHtml", parameters=[PeriodQuery], responses=HTML_PAGE
    )
    def page(self, request: Request) -> HttpResponse:
        """Download the statement of any period as a page to print.

        The same figures as in the CSV.
        """
        return _page(request, lambda: _of_period(request))


def _found(request: Request, settlement_id: str) -> Settlement:
    return settlements.find_settlement(merchant=merchant_of(request), settlement_id=settlement_id)


def _of_day(settlement: Settlement) -> Statement:
    return statements.make_statement(
        merchant_id=settlement.merchant_id,
        currency=settlement.currency,
        period=Period(settlement.date, settlement.date),
        now=clock.now(),
    )


def _of_period(request: Request) -> Statement:
    parameters = validate(PeriodQuery, request.query_params)
    return statements.make_statement(
        merchant_id=merchant_of(request).pk,
        currency=parameters["currency"],
        period=Period(parameters["first"], parameters["last"]),
        now=clock.now(),
    )


def _csv(request: Request, make: Callable[[], Statement]) -> StreamingHttpResponse:
    lock = StatementLock(merchant_of(request).pk)
    try:
        return documents.csv_response(make(), lock)
    except BaseException:
        lock.close()
        raise


def _page(request: Request, make: Callable[[], Statement]) -> HttpResponse:
    # The page is for people: in the language of their browser.
    language = translation.get_language_from_request(request._request)
    with closing(StatementLock(merchant_of(request).pk)), translation.override(language):
        return documents.page_response(make(), merchant_of(request))
