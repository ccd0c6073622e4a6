"""What a merchant reads of its closed days: the list, the CSV file and the page to print."""

from decimal import Decimal
from typing import Any

import pytest

from merchants.models import Merchant
from payments.core import clock
from payments.settlement import documents
from payments.settlement.services import day_closing
from tests.settlement.statement_files import check, rows_of, taxes_in
from tests.settlement.test_taxes import vat, withholding
from tests.support.fixtures import ApiClient
from tests.support.settlement_days import MONDAY, ONE_DAY, TUESDAY, Till, at, night_after

pytestmark = pytest.mark.django_db


def download(api: ApiClient, path: str) -> list[dict[str, str]]:
    response = api.get(path)
    assert response.status_code == 200, response.content
    return rows_of(b"".join(response.streaming_content))


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
    assert html.count("<tr><td>2 Mar 2026, ") == 3
    for text in ("50,000 COP", "95 COP", "19 %", "2 more movements", "opening balance"):
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
    assert '<th scope="row">IVA</th><td>2 Mar 2026</td>' in html
    assert '<th scope="row">IVA</th><td>3 Mar 2026</td>' in html
    one = api.get(f"/settlements/{second.pk}/statement.html", headers=english).content.decode()
    assert one.count('<th scope="row">IVA</th><td>3 Mar 2026</td>') == 1
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
