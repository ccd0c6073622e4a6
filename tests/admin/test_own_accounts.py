"""Our own accounts and the fees in the console: what an accountant looks at."""

import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from merchants.models import Merchant
from payments.console.formatting import day
from payments.core import clock
from payments.core.days import day_of
from payments.ledger import recipes, services
from payments.ledger.models import Account, Cost, FeeDay, PucCode
from payments.ledger.services import day_totals
from payments.ledger.services.puc import PucTable
from tests.admin.conftest import ACCESS_QUERIES, Console
from tests.admin.test_export import ask, rows
from tests.support.settlement_days import Till

pytestmark = pytest.mark.django_db
GMF = services.costs(Cost.GMF, "COPM")


@pytest.fixture
def books(merchant: Merchant) -> Till:
    """An order yesterday and one today, and a bank account with a movement."""
    till = Till(merchant)
    till.collect(clock.now() - timedelta(days=1), fee="40")
    day_totals.add_postings()
    till.collect(clock.now())
    opening = recipes.BankOpening(account="main", file_id="stf_1", amount=Decimal(900000))
    recipes.bank_opened(opening, now=clock.now())
    statement = recipes.ReadStatement(
        account="main", file_id="stf_1", credits=Decimal(0), debits=Decimal(200)
    )
    recipes.statement_imported(statement, now=clock.now())
    line = recipes.DecidedLine(match_id="lma_1", line_id=1, amount=Decimal(-200), to=GMF)
    recipes.bank_line_cleared(line, now=clock.now())
    return till


def text(answer: Any) -> str:
    plain = re.sub(r"<[^>]+>", " ", answer.content.decode())
    return re.sub(r"\s+", " ", plain)


def test_every_account_has_a_name_a_balance_and_a_puc_account(
    console: Console, books: Till
) -> None:
    shown = text(console.page("ledger_systemaccount_changelist"))
    for name, balance in (
        ("Cuenta bancaria main", "-899.800 COP"),
        ("Compensación con el simulador", "-100.065 COP"),
        ("Tarifas", "65 COP"),
        ("Costos: ", "-200 COP"),
        ("111005", "Bancos, moneda nacional"),
    ):
        assert name in shown, name
        assert balance in shown, name
    assert "available:" not in shown


def test_money_comes_first_and_what_we_earn_later(console: Console, books: Till) -> None:
    page = console.page("ledger_systemaccount_changelist").content.decode()
    names = (">Cuenta bancaria", ">Compensación con", ">Tarifas <span", ">Costos: ")
    places = [page.index(name) for name in names]
    assert places == sorted(places)


def test_the_list_costs_the_same_for_any_number_of_accounts(
    console: Console, books: Till, django_assert_max_num_queries: Any
) -> None:
    for number in range(30):
        clearing = services.clearing(f"rail-{number}", "COPM")
        lines = services.transfer(clearing, services.equity("COPM"), Decimal(1))
        services.post(
            kind="x", subject_id="x", idempotency_key=str(number), lines=lines, now=clock.now()
        )
    with django_assert_max_num_queries(ACCESS_QUERIES + 13):
        assert "rail-29" in text(console.page("ledger_systemaccount_changelist"))


def test_the_page_of_an_account_has_its_days_and_newest_postings(
    console: Console, books: Till
) -> None:
    fees = Account.objects.get(code="fees:COPM")
    for pages in ("ledger_systemaccount_change", "ledger_account_change"):
        shown = text(console.page(pages, fees.pk))
        today = day_of(clock.now())
        assert f"{day(today)} 40 COP 0 COP 25 COP 65 COP 1" in shown, pages
        assert f"{day(today - timedelta(days=1))} 0 COP 0 COP 40 COP 40 COP 1" in shown, pages
        assert "+25 COP" in shown
    older = console.page("ledger_systemaccount_change", fees.pk, until=today - timedelta(days=1))
    assert f"{day(today)} 40 COP" not in text(older)
    for odd in ("2026-02-31", "0001-01-01", "x"):
        page = console.page("ledger_systemaccount_change", fees.pk, until=odd)
        assert page.status_code == 200


def test_accounts_of_merchants_are_not_among_ours(console: Console, books: Till) -> None:
    theirs = Account.objects.get(kind="available")
    assert console.page("ledger_systemaccount_change", theirs.pk).status_code in (302, 404)


def test_the_puc_account_is_changed_with_a_reason(console: Console, books: Till) -> None:
    bank = Account.objects.get(code="bank:main:COPM")
    given = {"code": "11200501", "name": "Bancolombia ahorros", "scope": "account"}
    wrong = console.submit("ledger_systemaccount_change_puc", bank.pk, **{**given, "code": "11a"})
    assert wrong.status_code == 400
    assert not PucCode.objects.exists()
    done = console.submit("ledger_systemaccount_change_puc", bank.pk, **given)
    assert done.status_code == 302
    assert PucTable.load().of("bank", "main").code == "11200501"
    assert "11200501 Bancolombia ahorros" in text(
        console.page("ledger_systemaccount_change", bank.pk)
    )


def test_fees_are_of_this_month_with_totals(console: Console, books: Till) -> None:
    day_totals.add_postings()
    FeeDay.objects.create(
        day=day_of(clock.now()) - timedelta(days=70),
        kind="collect_settled",
        method="KEY_OF_OLD",
        currency="COPM",
        amount=Decimal(4444),
        postings=1,
    )
    shown = text(console.page("ledger_feeday_changelist"))
    assert "Café Andino 65 COP 2" in shown or day_of(clock.now()).day == 1
    assert "4.444" not in shown
    whole = text(console.page("ledger_feeday_changelist", day_from="2020-01-01"))
    assert "4.509 COP 3" in whole


def test_fees_go_to_a_file(console: Console, books: Till) -> None:
    day_totals.add_postings()
    found = {row["day"]: row for row in rows(ask(console, "ledger_feeday"))}
    row = found[day_of(clock.now()).isoformat()]
    assert (row["method"], row["fees"], row["merchant"]) == ("PSE", "25", "Café Andino")


@pytest.mark.parametrize(("method", "name"), [("TOPUP", "Recarga"), ("BILL", "Factura")])
def test_fees_of_each_product_stand_beside_its_name(
    console: Console, merchant: Merchant, method: str, name: str
) -> None:
    FeeDay.objects.create(
        day=day_of(clock.now()),
        kind="topup_completed",
        method=method,
        merchant=merchant,
        currency="COPM",
        amount=Decimal(110),
        postings=1,
    )
    shown = console.page("ledger_feeday_changelist").content.decode()
    assert f'<span title="{method}">{name}</span>' in shown
