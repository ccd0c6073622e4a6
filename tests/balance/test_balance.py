"""GET /balance and GET /balance/movements: what a merchant has with us, and why (docs/gaps.md)."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection, transaction

from merchants.models import Merchant
from payments.core import clock
from payments.ledger import recipes, services
from payments.ledger.models import Entry, Posting
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient

DAY = timedelta(days=1)
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
PESOS = {"currency": "COPM", "debit": Decimal(102500)}


class Money:
    """Moves the merchant's money, as the products would."""

    def __init__(self, merchant: Merchant) -> None:
        self.merchant = merchant
        self.count = 0

    def credit(self, amount: str, currency: str = "COPM", now: datetime | None = None) -> Entry:
        self.count += 1
        return recipes.sandbox_credited(
            merchant_id=self.merchant.pk,
            currency=currency,
            amount=Decimal(amount),
            reference=str(self.count),
            now=now or clock.now(),
        )

    def out(self, payout_id: str, **changes: Any) -> recipes.Outgoing:
        values = {
            "product": "payout",
            "payment_id": payout_id,
            "merchant_id": self.merchant.pk,
            "amount": Decimal(100000),
            "fee": Decimal(2500),
            "rail": "BANK",
            "account": "simulator",
            **PESOS,
        }
        return recipes.Outgoing(**{**values, **changes})

    def reserve(self, payout_id: str, now: datetime | None = None, **changes: Any) -> Entry:
        return recipes.outgoing_reserved(self.out(payout_id, **changes), now=now or clock.now())

    def complete(self, payout_id: str, now: datetime | None = None) -> Entry:
        return recipes.outgoing_completed(self.out(payout_id), now=now or clock.now())

    def release(self, payout_id: str, now: datetime | None = None) -> Entry:
        return recipes.outgoing_released(self.out(payout_id), now=now or clock.now())


@pytest.fixture
def money(merchant: Merchant) -> Money:
    return Money(merchant)


@pytest.fixture
def month(money: Money) -> list[datetime]:
    """Ten days with a credit, a payout that is completed and a payout that fails each."""
    days = [NOON + number * DAY for number in range(10)]
    for number, day in enumerate(days):
        money.credit("205000", now=day)
        money.credit("1.5", "USDT", now=day)
        for state, outcome in (("c", money.complete), ("f", money.release)):
            money.reserve(f"po_{number}{state}", now=day + timedelta(hours=1))
            outcome(f"po_{number}{state}", now=day + timedelta(hours=2))
    return days


def movements(api: ApiClient, query: str = "") -> list[dict[str, Any]]:
    response = api.get(f"/balance/movements?{query}")
    assert response.status_code == 200, response.content
    rows: list[dict[str, Any]] = response.body["data"]
    return rows


def everything(api: ApiClient, query: str = "") -> Iterator[dict[str, Any]]:
    """Every page by `before`."""
    last = ""
    while page := movements(api, f"limit=7&{query}{last}"):
        yield from page
        last = f"&before={page[-1]['id']}"


def test_balance_shows_what_is_available_and_held(api: ApiClient) -> None:
    order = api.post("/collect", order_body(amount=200000)).body["data"]["id"]
    api.post(f"/sandbox/collect/{order}", {"status": "COMPLETED"})
    money = Money(api.merchant)
    money.reserve("po_1")

    assert api.get("/balance").body == {
        "success": True,
        "data": [{"currency": "COPM", "available": 97500, "held": 102500}],
    }
    held, reserved, settled = movements(api)
    assert settled["id"].startswith("mov_")
    assert settled["createdAt"].endswith("Z")
    del settled["id"], settled["createdAt"]
    assert settled == {
        "kind": "collect_settled",
        "subjectId": order,
        "currency": "COPM",
        "account": "available",
        "amount": 200000,
        "balanceAfter": 200000,
    }
    assert [(row["account"], row["amount"], row["balanceAfter"]) for row in (reserved, held)] == [
        ("available", -102500, 97500),
        ("held", 102500, 102500),
    ]
    assert {row["subjectId"] for row in (reserved, held)} == {"po_1"}


class TestBalance:
    def test_pesos_are_there_from_the_first_day(self, api: ApiClient) -> None:
        assert api.get("/balance").body["data"] == [{"currency": "COPM", "available": 0, "held": 0}]

    def test_every_currency_that_the_merchant_has_had(self, api: ApiClient, money: Money) -> None:
        money.credit("0.00000001", "BTC")
        money.credit("10.5", "USDT")
        money.reserve("po_1", currency="USDT", debit=Decimal("10.5"))

        assert api.get("/balance").body["data"] == [
            {"currency": "COPM", "available": 0, "held": 0},
            {"currency": "BTC", "available": Decimal("0.00000001"), "held": 0},
            {"currency": "USDT", "available": 0, "held": Decimal("10.5")},
        ]

    def test_more_digits_than_a_float_has(self, api: ApiClient, money: Money) -> None:
        whole, dust = Decimal("999999999999.99"), Decimal("0.00000001")
        money.credit(str(whole), "BTC")
        money.credit(str(dust), "BTC")

        assert api.get("/balance").body["data"][1]["available"] == whole + dust
        assert [row["balanceAfter"] for row in movements(api)] == [whole + dust, whole]

    def test_balance_costs_two_queries(
        self, api: ApiClient, django_assert_num_queries: Any
    ) -> None:
        api.get("/balance")
        with django_assert_num_queries(2):
            api.get("/balance")


class TestMovements:
    def test_each_movement_leads_from_one_balance_to_the_next(
        self, api: ApiClient, month: list[datetime]
    ) -> None:
        """Read from the oldest, each amount leads from one balance to the next."""
        running: dict[tuple[str, str], Decimal] = {}
        rows = list(everything(api))
        for row in rows[::-1]:
            account = (row["currency"], row["account"])
            running[account] = running.get(account, Decimal(0)) + row["amount"]
            assert running[account] == row["balanceAfter"]

        assert len(rows) == Posting.objects.exclude(balance_after=None).count() == 90
        for balance in api.get("/balance").body["data"]:
            for account in ("available", "held"):
                assert running.get((balance["currency"], account), 0) == balance[account]

    def test_ids_are_unique_and_say_nothing_of_others(
        self, api: ApiClient, month: list[datetime]
    ) -> None:
        ids = [row["id"] for row in everything(api)]

        assert len(set(ids)) == 90
        assert {len(each) for each in ids} == {31}

    def test_pages_meet_without_gap_or_overlap(self, api: ApiClient, month: list[datetime]) -> None:
        ids = [row["id"] for row in everything(api)]

        for limit in (1, 4, 100):
            for offset in (0, 1, 8, 9, 10, 44, 85, 89, 90, 1000, 2**63 - 1):
                page = movements(api, f"limit={limit}&offset={offset}")
                assert [row["id"] for row in page] == ids[offset : offset + limit]

    @pytest.mark.parametrize(
        "narrowed",
        [
            {"currency": "USDT"},
            {"currency": "BTC"},
            {"account": "held"},
            {"kind": "payout_completed"},
            {"kind": "payout_returned"},
            {"currency": "COPM", "account": "available", "kind": "payout_released"},
        ],
        ids=lambda narrowed: "&".join(narrowed.values()),
    )
    def test_movements_are_narrowed_by_filters(
        self, api: ApiClient, month: list[datetime], narrowed: dict[str, str]
    ) -> None:
        expected = [
            row
            for row in everything(api)
            if all(row[name] == value for name, value in narrowed.items())
        ]
        query = "&".join(f"{name}={value}" for name, value in narrowed.items())

        assert list(everything(api, query)) == expected
        response = api.get(f"/balance/movements?limit=3&offset=2&{query}")
        assert response.body["data"] == expected[2:5]
        assert response.headers["X-Total-Count"] == str(len(expected))

    @pytest.mark.parametrize("cut", ["00:00:00", "12:00:00", "13:00:00", "13:00:01", "23:59:59"])
    @pytest.mark.parametrize("query", ["", "kind=payout_reserved", "account=held"])
    def test_movements_are_narrowed_by_time(
        self, api: ApiClient, month: list[datetime], cut: str, query: str
    ) -> None:
        rows = list(everything(api, query))
        start, end = f"2026-03-03T{cut}.000Z", f"2026-03-06T{cut}.000Z"
        later = [row for row in rows if row["createdAt"] >= start]
        between = [row for row in later if row["createdAt"] < end]

        for limits, expected in (
            (f"createdFrom={start}", later),
            (f"createdFrom={start}&createdTo={end}", between),
            (f"createdFrom={end}&createdTo={start}", []),
        ):
            response = api.get(f"/balance/movements?limit=100&offset=1&{query}&{limits}")
            assert response.body["data"] == expected[1:]
            assert response.headers["X-Total-Count"] == str(len(expected))
            assert list(everything(api, f"{query}&{limits}")) == expected

    def test_a_clock_that_goes_back_does_not_break_the_chain(
        self, api: ApiClient, money: Money
    ) -> None:
        money.credit("1", now=NOON)
        money.credit("2", now=NOON - DAY)
        money.credit("3", now=NOON + DAY)

        rows = movements(api)
        assert [row["balanceAfter"] for row in rows] == [6, 3, 1]
        assert rows[1]["createdAt"] == rows[2]["createdAt"], "no earlier than the one before it"
        assert services.verify().problems == []

    def test_a_page_by_before_is_stable_while_money_moves(
        self, api: ApiClient, money: Money
    ) -> None:
        for _ in range(6):
            money.credit("1")
        first = movements(api, "limit=3")
        money.credit("1")

        second = movements(api, f"limit=3&before={first[-1]['id']}")
        assert [row["balanceAfter"] for row in first + second] == [6, 5, 4, 3, 2, 1]

    def test_both_sides_of_the_servers_day(self, api: ApiClient, money: Money) -> None:
        """A day of the tally is a UTC day, wherever the database stands."""
        midnight = datetime(2026, 3, 2, tzinfo=UTC)
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL TIME ZONE 'America/Bogota'")
            for seconds in (-1, 0, 1):
                money.credit("1", now=midnight + timedelta(seconds=seconds))
            cursor.execute("SET LOCAL TIME ZONE 'UTC'")

        response = api.get("/balance/movements?createdFrom=2026-03-02T00:00:00Z&limit=1&offset=1")
        assert response.headers["X-Total-Count"] == "2"
        assert response.body["data"][0]["balanceAfter"] == 2
        assert services.verify().problems == []

    def test_a_page_costs_the_same_number_of_queries(
        self, api: ApiClient, month: list[datetime], django_assert_max_num_queries: Any
    ) -> None:
        for query in ("limit=1", "limit=100", "offset=50", "kind=payout_reserved"):
            with django_assert_max_num_queries(6):
                movements(api, query)

    def test_the_default_page_has_twenty(self, api: ApiClient, month: list[datetime]) -> None:
        assert len(movements(api)) == 20

    @pytest.mark.parametrize(
        ("query", "field"),
        [
            ("limit=0", "limit"),
            ("limit=101", "limit"),
            ("limit=abc", "limit"),
            ("limit=1e3", "limit"),
            ("limit=%00", "limit"),
            ("limit=%EF%BC%91", "limit"),
            ("limit=1&limit=2", "limit"),
            ("offset=-5", "offset"),
            ("offset=9223372036854775808", "offset"),
            ("currency=COP", "currency"),
            ("currency=copm", "currency"),
            ("currency=", "currency"),
            ("account=fees", "account"),
            ("account=Held", "account"),
            ("kind=unmatched_received", "kind"),
            ("kind=deposit_received", "kind"),
            ("kind=x&kind=y", "kind"),
            ("createdFrom=yesterday", "createdFrom"),
            ("createdTo=2026-01-01T00:00:00", "createdTo"),
            ("before=", "before"),
            ("before=1", "before"),
            ("before=%00", "before"),
            ("before=mov_000000000000000000000000000", "before"),
            ("before=mov_00000000000000000000000000", "before"),
            ("before=mov_00000000000000000000000000%C3%B1", "before"),
            ("before=mov_000000000000000000000000000&offset=1", "before"),
        ],
    )
    def test_a_bad_query_is_named(self, api: ApiClient, query: str, field: str) -> None:
        response = api.get(f"/balance/movements?{query}")

        assert response.status_code == 400
        assert response.body["error"]["code"] == "VALIDATION_ERROR"
        assert response.body["error"]["details"]["field"] == field

    @pytest.mark.parametrize("path", ["/balance", "/balance/movements"])
    def test_balance_endpoints_only_read(
        self, api: ApiClient, anonymous: ApiClient, path: str
    ) -> None:
        assert api.post(path, {}).status_code == 405
        assert anonymous.get(path).body["error"]["code"] == "MISSING_CREDENTIALS"
        assert api.get(f"{path}/nothing").status_code == 404


class TestTenantIsolation:
    """Nothing of another merchant is seen, also not whether it exists."""

    def test_a_stranger_sees_nothing(self, stranger_api: ApiClient, month: list[datetime]) -> None:
        assert stranger_api.get("/balance").body["data"] == [
            {"currency": "COPM", "available": 0, "held": 0}
        ]
        response = stranger_api.get("/balance/movements")
        assert (response.body["data"], response.headers["X-Total-Count"]) == ([], "0")

    def test_another_merchants_movement_is_absent_byte_for_byte(
        self, api: ApiClient, stranger_api: ApiClient, month: list[datetime]
    ) -> None:
        Money(stranger_api.merchant).credit("1")
        theirs = movements(api)[0]["id"]

        answers = [
            stranger_api.get(f"/balance/movements?before={each}").content
            for each in (theirs, "mov_" + "0" * 27, "nothing")
        ]
        assert len(set(answers)) == 1

    def test_what_lies_between_rails_and_us_is_no_movement(
        self, api: ApiClient, merchant: Merchant, month: list[datetime]
    ) -> None:
        """Also the other lines of the same entry cannot be named."""
        completed = movements(api, "kind=payout_completed")[0]["id"]
        places = "0123456789abcdefghjkmnpqrstvwxyz".replace(completed[-1], "")

        statuses = {
            api.get(f"/balance/movements?before={completed[:-1]}{place}").status_code
            for place in places
        }
        assert statuses == {400}


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_is_not_tallied(merchant: Merchant) -> None:
    money = Money(merchant)
    with transaction.atomic():
        money.credit("102500")
    with transaction.atomic():
        money.reserve("po_1")
        transaction.set_rollback(True)
    money.count = 0
    with pytest.raises(services.AlreadyPosted), transaction.atomic():
        money.credit("102500")

    filters = services.MovementFilters()
    rows, total = services.list_movements(
        merchant_id=merchant.pk, limit=10, offset=0, filters=filters
    )
    assert (len(rows), total) == (1, 1)
    assert services.verify().problems == []
