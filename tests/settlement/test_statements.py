"""Statements: opening balance + movements = closing balance, as CSV and as a page to print."""

import csv
import io
import itertools
import random
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from merchants.models import Merchant
from payments.core import clock
from payments.core.errors import ValidationFailed
from payments.settlement import documents
from payments.settlement.days import Period
from payments.settlement.services import day_closing, statements
from payments.settlement.services.statements import Statement
from tests.settlement.test_taxes import vat, withholding
from tests.support.fixtures import ApiClient
from tests.support.settlement_days import MONDAY, ONE_DAY, TUESDAY, Till, at, night_after

pytestmark = pytest.mark.django_db
WEEK = Period(MONDAY, MONDAY + 6 * ONE_DAY)


def statement(till: Till, period: Period = WEEK, currency: str = "COPM") -> Statement:
    return statements.make_statement(
        merchant_id=till.merchant.pk,
        currency=currency,
        period=period,
        now=night_after(MONDAY + 30 * ONE_DAY),
    )


def rows_of(content: bytes) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def download(api: ApiClient, path: str) -> list[dict[str, str]]:
    response = api.get(path)
    assert response.status_code == 200, response.content
    return rows_of(b"".join(response.streaming_content))


def taxes_in(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """The lines after the closing balance."""
    return [row for row in rows if row["kind"].startswith("tax_")]


def check(rows: list[dict[str, str]]) -> None:
    """Adds the file up as a bookkeeper would."""
    taxes = taxes_in(rows)
    opening, *movements, closing_row = rows[: len(rows) - len(taxes)]
    assert all(row["balance"] == "" for row in taxes)
    assert (opening["kind"], closing_row["kind"]) == ("opening_balance", "closing_balance")
    balance = Decimal(opening["balance"])
    for row in movements:
        balance += Decimal(row["amount"])
        assert Decimal(row["balance"]) == balance
    assert Decimal(closing_row["balance"]) == balance


def a_wild_week(till: Till, seed: int) -> None:
    """Collections, payouts and refunds in every state, at any hour."""
    chance = random.Random(seed)
    till.collect(at(MONDAY - ONE_DAY), base="1000000", fee="500")
    moments = sorted(chance.uniform(0, 7 * 86400 - 1) for _ in range(60))
    waiting: list[Any] = []
    for seconds in moments:
        now = at(MONDAY, "00:00:00.000") + timedelta(seconds=seconds)
        match chance.randrange(5):
            case 0 | 1:
                till.collect(now, base=f"{chance.randrange(1000, 90000)}", fee="7")
            case 2:
                kind = chance.choice(["payout", "refund"])
                waiting.append(till.reserve(now, kind, f"{chance.randrange(1, 9000)}"))
            case 3 if waiting:
                till.complete(waiting.pop(), now)
            case 4 if waiting:
                till.release(waiting.pop(0), now)


def test_statement_lists_the_movements_between_both_balances(till: Till) -> None:
    till.collect(at(MONDAY - ONE_DAY), base="5000")
    till.collect(at(MONDAY), base="10000")
    payout = till.reserve(at(TUESDAY), amount="3000", fee=Decimal(500))
    made = statement(till, Period(MONDAY, TUESDAY))
    assert (made.opening.total, made.closing.total) == (5000, 15000)
    assert (made.closing.available, made.closing.held) == (11500, 3500)
    assert [(total.kind, total.movements, total.change) for total in made.totals] == [
        ("collect_settled", 1, (10000, 0)),
        ("payout_reserved", 2, (-3500, 3500)),
    ]
    lines = [(movement.kind, movement.amount, balance) for movement, balance in made.movements()]
    assert lines == [
        ("collect_settled", 10000, 15000),
        ("payout_reserved", -3500, 11500),
        ("payout_reserved", 3500, 15000),
    ]
    till.complete(payout, at(TUESDAY + ONE_DAY))
    assert statement(till).closing.total == 11500


@pytest.mark.parametrize("seed", range(3))
def test_statement_of_every_period_adds_up(
    till: Till, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "CHUNK_SIZE", 7)
    a_wild_week(till, seed)
    days = [MONDAY + number * ONE_DAY for number in (-1, 0, 1, 4, 7)]
    for first, last in itertools.combinations_with_replacement(days, 2):
        made = statement(till, Period(first, last))
        rows = rows_of("".join(documents.csv_lines(made)).encode())
        check(rows)
        assert len(rows) - 2 == made.movement_count
        changes = sum(total.change.total for total in made.totals)
        assert made.opening.total + changes == made.closing.total
        assert len({row["movementId"] for row in rows}) == len(rows) - 1  # the edges have none


def test_the_days_of_a_period_are_its_settlements(till: Till) -> None:
    a_wild_week(till, 9)
    day_closing.close_due(now=night_after(WEEK.last))
    for row in till.merchant.settlements.all():
        made = statement(till, Period(row.date, row.date))
        assert (made.opening.total, made.closing.total) == (
            row.opening_balance,
            row.closing_balance,
        )
        totals = {total.kind: total for total in made.totals}
        settled = totals.get("collect_settled")
        assert row.net == (settled.change.total if settled else 0)
        refunded = totals.get("refund_completed")
        assert row.refunded == (-refunded.change.total if refunded else 0)


def test_entries_posted_during_the_statement_are_left_out(
    till: Till, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "CHUNK_SIZE", 2)
    for _ in range(5):
        till.collect(at(MONDAY))
    made = statement(till)
    lines = documents.csv_lines(made)
    read = [next(lines) for _ in range(3)]
    till.collect(at(MONDAY))
    till.reserve(at(MONDAY))
    rows = rows_of("".join([*read, *lines]).encode())
    check(rows)
    assert len(rows) == 7


def test_statement_of_an_account_without_postings_is_empty(till: Till) -> None:
    made = statement(till, currency="BTC")
    assert (made.opening.total, made.closing.total, made.totals) == (0, 0, [])
    check(rows_of("".join(documents.csv_lines(made)).encode()))


@pytest.mark.parametrize(
    ("first", "last"),
    [(TUESDAY, MONDAY), (MONDAY, MONDAY + 31 * ONE_DAY + ONE_DAY), (MONDAY, date.max)],
)
def test_a_period_has_an_order_and_no_future(till: Till, first: date, last: date) -> None:
    with pytest.raises(ValidationFailed):
        statement(till, Period(first, last))


def test_the_queries_follow_the_chunks_not_the_rows(till: Till) -> None:
    counts = []
    for _ in range(2):
        for _ in range(20):
            till.collect(at(MONDAY))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            list(statement(till).movements())
        counts.append(len(queries))
    assert counts[0] == counts[1]


# --- What a merchant reads -----------------------------------------------------------------------


def test_a_merchant_lists_its_days(api: ApiClient, merchant: Merchant, stranger: Merchant) -> None:
    till = Till(merchant)
    vat(first=TUESDAY)
    for number in range(3):
        till.collect(at(MONDAY + number * ONE_DAY), base="1000", fee="119")
    till.collect(at(MONDAY), base="2", fee="0", currency="USDT", rail="CRYPTO")
    Till(stranger).collect(at(MONDAY))
    day_closing.close_due(now=night_after(MONDAY + 5 * ONE_DAY))

    listed = api.get("/settlements")
    assert listed.headers["X-Total-Count"] == "4"
    days = [(row["date"], row["currency"]) for row in listed.body["data"]]
    assert days == [
        ("2026-03-04", "COPM"),
        ("2026-03-03", "COPM"),
        ("2026-03-02", "COPM"),
        ("2026-03-02", "USDT"),
    ]
    newest = listed.body["data"][0]
    assert api.get(f"/settlements/{newest['id']}").body["data"] == newest
    assert newest == {
        "id": newest["id"],
        "date": "2026-03-04",
        "timezone": "America/Bogota",
        "currency": "COPM",
        "collected": 1119,
        "fee": 100,
        "tax": 19,
        "net": 1000,
        "refunded": 0,
        "orderCount": 1,
        "refundCount": 0,
        "openingBalance": 2000,
        "openingHeld": 0,
        "closingBalance": 3000,
        "closingHeld": 0,
        "taxLines": [
            {
                "name": "IVA",
                "kind": "INCLUDED",
                "rate": Decimal("0.19"),
                "base": 100,
                "amount": 19,
            }
        ],
        "closedAt": "2026-03-08T05:10:00.000Z",
    }
    for query, count in (
        ("currency=USDT", 1),
        ("from=2026-03-03", 2),
        ("to=2026-03-03", 3),
        ("from=2026-03-03&to=2026-03-03", 1),
        ("limit=1&offset=3", 1),
        ("offset=4", 0),
    ):
        assert len(api.get(f"/settlements?{query}").body["data"]) == count, query


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("currency=COP", "currency"),
        ("from=2026-3-2", "from"),
        ("from=2026-02-01&to=2026-02-30", "to"),
        ("from=2026-02-01&to=", "to"),
        ("from=2026-03-02&from=2026-03-02", "from"),
        ("limit=0", "limit"),
    ],
)
def test_a_wrong_parameter_is_named(api: ApiClient, query: str, field: str) -> None:
    for path in ("/settlements", "/settlements/statement.csv", "/settlements/statement.html"):
        if field == "limit" and path != "/settlements":
            continue
        response = api.get(f"{path}?{query}")
        assert response.status_code == 400
        assert response.body["error"]["details"]["field"] == field


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("to=2026-03-03", "from"),
        ("from=2026-03-03", "to"),
        ("from=2026-03-03&to=2026-03-02", "to"),
        ("from=2026-03-03&to=9999-12-31", "to"),
    ],
)
def test_a_period_needs_both_days(api: ApiClient, query: str, field: str) -> None:
    response = api.get(f"/settlements/statement.csv?{query}")
    assert response.status_code == 400
    assert response.body["error"]["details"]["field"] == field


def test_a_merchant_downloads_statements(api: ApiClient, merchant: Merchant) -> None:
    till = Till(merchant)
    till.collect(at(MONDAY), base="1000.50", fee="1")
    till.refund(at(MONDAY), "400.25")
    settlement = till.close(MONDAY)
    path = f"/settlements/{settlement.pk}/statement.csv"
    response = api.get(path)
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    expected = 'attachment; filename="statement-COPM-2026-03-02-2026-03-02.csv"'
    assert response.headers["Content-Disposition"] == expected
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-RateLimit-Limit"] == "10"
    rows = rows_of(b"".join(response.streaming_content))
    check(rows)
    assert list(rows[0]) == documents.HEADERS
    assert rows[0]["createdAt"] == "2026-03-02T05:00:00.000Z"
    assert rows[-1]["createdAt"] == "2026-03-03T05:00:00.000Z"
    ids = {row["id"] for row in api.get("/balance/movements").body["data"]}
    assert {row["movementId"] for row in rows[1:-1]} == ids
    # Numbers stay numbers, also below zero: a formula would need text.
    assert [row["amount"] for row in rows[1:-1]] == ["1000.5", "-400.25", "400.25", "-400.25"]
    period = "from=2026-03-01&to=2026-03-31"
    check(download(api, f"/settlements/statement.csv?{period}"))
    assert len(download(api, f"/settlements/statement.csv?currency=ETH&{period}")) == 2


def test_the_page_to_print(api: ApiClient, merchant: Merchant, settings: Any) -> None:
    settings.STATEMENT_PAGE_ROWS = 3
    merchant.name = "<b>Café</b>"
    merchant.save()
    till = Till(merchant)
    vat()
    for _ in range(5):
        till.collect(at(MONDAY), base="10000", fee="119")
    settlement = till.close(MONDAY)
    path = f"/settlements/{settlement.pk}/statement.html"
    response = api.get(path, headers={"Accept-Language": "en"})
    html = response.content.decode()
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script" not in policy
    assert "&lt;b&gt;Café" in html
    assert "<b>Café" not in html
    assert html.count("<tr><td>2026-03-02 ") == 3
    for text in ("50,000 COPM", "95 COPM", "19 %", "2 more movements", "opening balance"):
        assert text in html, text
    assert '<html lang="es">' in api.get(path, headers={"Accept-Language": "es"}).content.decode()
    period = api.get("/settlements/statement.html?from=2026-03-02&to=2026-03-02")
    assert period.status_code == 200


def test_a_period_states_the_taxes_of_its_closed_days(
    api: ApiClient, merchant: Merchant, stranger: Merchant
) -> None:
    vat()
    withholding()
    for till in (Till(merchant), Till(stranger)):
        for number in range(3):
            till.collect(at(MONDAY + number * ONE_DAY), fee="119")
            till.collect(at(MONDAY), base="2", fee="1.19", currency="USDT", rail="CRYPTO")
        for number in range(2):
            till.close(MONDAY + number * ONE_DAY)
        till.close(MONDAY, "USDT")
    first, second = merchant.settlements.filter(currency="COPM").order_by("date")

    rows = download(api, "/settlements/statement.csv?from=2026-03-01&to=2026-03-31")
    check(rows)
    fields = ("kind", "subjectId", "amount", "date", "tax", "rate", "base")
    assert [tuple(row[name] for name in fields) for row in taxes_in(rows)] == [
        ("tax_included", first.pk, "19", "2026-03-02", "IVA", "0.19", "100"),
        ("tax_withheld", first.pk, "11", "2026-03-02", "Retefuente", "0.11", "100"),
        ("tax_included", second.pk, "19", "2026-03-03", "IVA", "0.19", "100"),
        ("tax_withheld", second.pk, "11", "2026-03-03", "Retefuente", "0.11", "100"),
    ]
    day = download(api, f"/settlements/{second.pk}/statement.csv")
    assert [row["date"] for row in taxes_in(day)] == ["2026-03-03"] * 2
    dollars = "/settlements/statement.csv?currency=USDT&from=2026-03-02&to=2026-03-02"
    assert [row["base"] for row in taxes_in(download(api, dollars))] == ["3", "3"]

    english = {"Accept-Language": "en"}
    page = api.get("/settlements/statement.html?from=2026-03-01&to=2026-03-31", headers=english)
    html = page.content.decode()
    assert html.count('<th scope="row">IVA</th><td>2026-03-0') == 2
    one = api.get(f"/settlements/{second.pk}/statement.html", headers=english).content.decode()
    assert one.count('<th scope="row">IVA</th><td>2026-03-03</td>') == 1
    assert one.count('<th scope="row">IVA</th>') == 1


def test_an_open_day_ends_when_the_statement_is_made(
    api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    Till(merchant).collect(at(MONDAY, "09:00:00.000"))
    path = "/settlements/statement.csv?from=2026-03-02&to=2026-03-02"
    for moment, stamp in (
        (at(MONDAY, "15:04:05.123"), "2026-03-02T20:04:05.123Z"),
        (at(MONDAY, "08:59:59.000"), "2026-03-02T14:00:00.000Z"),  # that clock goes late
        (at(TUESDAY, "00:00:00.000"), "2026-03-03T05:00:00.000Z"),
        (at(TUESDAY, "15:00:00.000"), "2026-03-03T05:00:00.000Z"),
    ):
        monkeypatch.setattr(clock, "now", lambda moment=moment: moment)
        rows = download(api, path)
        check(rows)
        assert rows[-1]["createdAt"] == stamp


def test_others_days_are_absent(api: ApiClient, stranger: Merchant) -> None:
    till = Till(stranger)
    till.collect(at(MONDAY))
    theirs = till.close(MONDAY)
    for tail in ("", "/statement.csv", "/statement.html"):
        for pk in (theirs.pk, "stl_00000000000000000000000000", "x"):
            response = api.get(f"/settlements/{pk}{tail}")
            assert (response.status_code, response.body["error"]["code"]) == (404, "NOT_FOUND")
    assert api.get("/settlements").body["data"] == []
    rows = download(api, "/settlements/statement.csv?from=2026-03-01&to=2026-03-31")
    assert [row["balance"] for row in rows] == ["0", "0"]


def test_settlements_and_statements_need_credentials(anonymous: ApiClient) -> None:
    for path in ("", "/statement.csv", "/statement.html", "/stl_1", "/stl_1/statement.csv"):
        assert anonymous.get(f"/settlements{path}").status_code == 401
