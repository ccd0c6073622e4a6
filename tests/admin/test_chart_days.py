"""The days of the first page are days in Bogotá, at every hour of them."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from merchants.models import Merchant
from payments.collect.admin import overview
from payments.collect.models import Order
from payments.console.overview import CHART_DAYS, chart_days
from payments.core import clock, ids
from tests.admin.conftest import Console
from tests.admin.test_dashboard import make
from tests.support.database import triggers_asleep
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db
BOGOTA = ZoneInfo("America/Bogota")
TODAY, YESTERDAY = "2026-03-10", "2026-03-09"
# As many as make reading them all slower than an index.
ORDERS = 20_000
HOURS = ["00:10", "18:59", "19:01", "23:59"]


@pytest.fixture(autouse=True)
def _fresh() -> None:
    cache.clear()


def at(day: str, hour: str) -> Any:
    """The clock of the service, at that hour in Bogotá."""
    return time_machine.travel(datetime.fromisoformat(f"{day}T{hour}:30-05:00"), tick=False)


def states(console: Console) -> dict[str, list[str]]:
    """{day: paid, open, failed, expired} of the chart of orders, its newest day first."""
    charts = console.page("index").context["charts"]
    return next(dict(chart["rows"]) for chart in charts if len(chart["headers"]) == 4)


@pytest.mark.parametrize("hour", HOURS)
def test_orders_of_every_hour_are_on_their_day_in_bogota(
    hour: str, console: Console, api: ApiClient
) -> None:
    for number, placed in enumerate(HOURS):
        with at(YESTERDAY, placed):
            make(api, f"Y-{number}")
    with at(TODAY, hour):
        make(api, "T")
        make(api, "P", status="COMPLETED", paid_at=clock.now())
        rows = states(console)
        assert next(iter(rows)) == TODAY
        assert len(rows) == CHART_DAYS
        assert rows.pop(TODAY) == ["1", "1", "0", "0"]
        assert rows.pop(YESTERDAY) == ["0", "4", "0", "0"]
        assert {count for counts in rows.values() for count in counts} == {"0"}


@pytest.mark.parametrize("hour", HOURS)
def test_the_first_day_of_the_chart_is_whole_and_the_day_before_is_left_out(
    hour: str, console: Console, api: ApiClient
) -> None:
    with at("2026-02-08", "23:59"):
        make(api, "TOO-OLD")
    for number, placed in enumerate(HOURS):
        with at("2026-02-09", placed):
            make(api, f"F-{number}")
    with at(TODAY, hour):
        rows = states(console)
        assert list(rows)[-1] == "2026-02-09"
        assert sum(int(counts[1]) for counts in rows.values()) == 4
        assert rows["2026-02-09"][1] == "4"


@pytest.mark.parametrize("hour", HOURS)
def test_every_chart_and_figure_has_the_same_today(
    hour: str, console: Console, api: ApiClient, merchant: Merchant
) -> None:
    with at(TODAY, hour):
        make(api, "P", status="COMPLETED", paid_at=clock.now())
        context = console.page("index").context
        assert {chart["rows"][0][0] for chart in context["charts"]} == {TODAY}
        assert context["collected"][0]["count"] == 1
        assert context["charts"][0]["rows"][0][1] != ["0 COP"]
        assert context["charts"][1]["rows"][0][1][0] == "1"


def test_a_day_that_has_just_begun_does_not_wait_for_what_was_kept(
    console: Console, api: ApiClient
) -> None:
    with at(TODAY, "23:59"):
        make(api, "LATE", status="COMPLETED", paid_at=clock.now())
        assert states(console)[TODAY][0] == "1"
    with at("2026-03-11", "00:00"):
        make(api, "EARLY")
        context = console.page("index").context
        rows = dict(context["charts"][1]["rows"])
        assert rows["2026-03-11"] == ["0", "1", "0", "0"]
        assert context["collected"][0]["count"] == 0


def test_each_merchant_has_its_own_evening(
    api: ApiClient, merchant: Merchant, stranger: Merchant
) -> None:
    with at(YESTERDAY, "19:01"):
        make(api, "OURS")
        for number in range(3):
            make(ApiClient(stranger), f"T-{number}")
    with at(TODAY, "12:00"):
        day = datetime.fromisoformat(YESTERDAY).date()
        assert overview.orders_by_day(frozenset({merchant.pk}), clock.now())[day] == {"PENDING": 1}
        assert overview.orders_by_day(None, clock.now())[day] == {"PENDING": 4}
        assert overview.orders_by_day(frozenset(), clock.now()) == {}


def test_the_chart_says_what_counting_every_order_says(api: ApiClient, merchant: Merchant) -> None:
    """Against a count of the whole table, over orders of every hour of forty days."""
    now = datetime.fromisoformat("2026-03-10T20:15:00-05:00")
    placed = [now - timedelta(hours=hours) for hours in range(0, 40 * 24, 5)]
    template = make(api, "TEMPLATE")
    rows = []
    for number, moment in enumerate(placed):
        with time_machine.travel(moment, tick=False):
            order = Order(**{f.attname: getattr(template, f.attname) for f in Order._meta.fields})
            order.pk, order.token, order.reference = (
                ids.new_id("col"),
                f"token-{number}",
                f"{number}",
            )
            order.created_at = moment
            rows.append(order)
    Order.objects.bulk_create(rows)
    counted: dict[Any, int] = {}
    for moment in placed:
        day = moment.astimezone(BOGOTA).date()
        counted[day] = counted.get(day, 0) + 1
    found = overview.orders_by_day(frozenset({merchant.pk}), now)
    everyone = overview.orders_by_day(None, now)
    assert {day: found[day]["PENDING"] for day in chart_days(now)} == {
        day: counted[day] for day in chart_days(now)
    }
    assert everyone == found


def test_statistics_of_the_api_stay_right_around_midnight(api: ApiClient) -> None:
    for number, placed in enumerate(HOURS):
        with at(YESTERDAY, placed):
            make(api, f"S-{number}", status="COMPLETED", paid_at=clock.now())
    with at(TODAY, "23:59"):
        answer = api.get("/collect/stats").body["data"]
        assert (answer["total"], answer["completed"]) == (4, 4)


def test_the_evenings_are_read_along_an_index(api: ApiClient, merchant: Merchant) -> None:
    """Of all merchants along the primary key, of one along its own: never the whole table."""
    fill(make(api, "TEMPLATE"), ORDERS)
    for scope, index in ((None, "collect_order_pkey"), (frozenset({merchant.pk}), "order_newest")):
        with CaptureQueriesContext(connection) as asked:
            overview.orders_by_day(scope, clock.now())
        assert len(asked) == 1
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN {asked[0]['sql']}")
            plan = "\n".join(line for (line,) in cursor)
        assert index in plan, plan
        assert "Seq Scan on collect_order " not in plan, plan


def fill(template: Order, orders: int) -> None:
    """Copies of the order, spread over a year: the triggers sleep, and the tally is not kept."""
    step = timedelta(days=365) / orders
    moments = [template.created_at - step * number for number in range(1, orders + 1)]
    columns = [field.column for field in Order._meta.concrete_fields]
    own = {"id": "made.id", "created_at": "made.at", "token": "made.id", "reference": "made.id"}
    picked = ", ".join(own.get(column, f"template.{column}") for column in columns)
    with triggers_asleep(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        cursor.execute(
            f"INSERT INTO collect_order ({', '.join(columns)}) SELECT {picked} "
            "FROM collect_order AS template, unnest(%s::text[], %s::timestamptz[]) AS made (id, at)"
            "WHERE template.id = %s",
            [[_id(moment, n) for n, moment in enumerate(moments)], moments, template.pk],
        )
        cursor.execute("ANALYZE collect_order")


def _id(moment: datetime, number: int) -> str:
    return f"{ids.first_of('col', moment)[:-8]}{number:08d}"
