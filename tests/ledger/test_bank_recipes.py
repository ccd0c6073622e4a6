"""Statements of our bank, what its movements were for, and what an acquirer declares."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest

from merchants.models import Merchant
from payments.ledger import recipes, services
from payments.ledger.models import Account, Cost, Entry
from tests.ledger.books import NOW, balance, lines_of, peso, settle, total
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db

PESOS = "COPM"
OPENING = recipes.BankOpening(account="main", file_id="stf_1", amount=peso(900000))
STATEMENT = recipes.ReadStatement(
    account="main", file_id="stf_1", credits=peso(50025), debits=peso("1200.10")
)
WOMPI = recipes.Disbursement(
    disbursement_id="dis_1",
    account="wompi",
    gross=peso(50025),
    taken={Cost.PROVIDER_COMMISSION: peso("1575.58"), Cost.VAT: peso("299.36")},
)


def decided(amount: int | str, to: services.AccountRef) -> recipes.DecidedLine:
    return recipes.DecidedLine(match_id="lma_1", line_id=7, amount=peso(amount), to=to)


def written(*lines: tuple[str, str]) -> list[tuple[str, Decimal]]:
    return [(code, Decimal(amount)) for code, amount in lines]


def test_a_new_bank_account_brings_its_money_from_equity() -> None:
    entry = recipes.bank_opened(OPENING, now=NOW)

    assert entry is not None
    assert lines_of(entry) == written(("bank:main:COPM", "-900000"), ("equity:COPM", "900000"))


def test_an_overdraft_is_a_debt_of_the_bank_account() -> None:
    entry = recipes.bank_opened(replace(OPENING, amount=peso(-500)), now=NOW)

    assert entry is not None
    assert lines_of(entry) == written(("bank:main:COPM", "500"), ("equity:COPM", "-500"))


def test_a_statement_waits_in_suspense_and_the_bank_has_its_balance() -> None:
    recipes.bank_opened(OPENING, now=NOW)

    entry = recipes.statement_imported(STATEMENT, now=NOW)

    assert entry is not None
    assert lines_of(entry) == written(
        ("bank:main:COPM", "-50025"),
        ("suspense:bank:COPM", "50025"),
        ("suspense:bank:COPM", "-1200.1"),
        ("bank:main:COPM", "1200.1"),
    )
    assert total("bank:main:COPM") == -(900000 + peso(50025) - peso("1200.10"))


def test_nothing_is_posted_for_an_empty_account_or_a_known_file() -> None:
    nothing = peso(0)

    assert recipes.bank_opened(replace(OPENING, amount=nothing), now=NOW) is None
    known = replace(STATEMENT, credits=nothing, debits=nothing)
    assert recipes.statement_imported(known, now=NOW) is None
    assert not Entry.objects.exists()


def test_a_credit_for_an_order_empties_suspense_and_the_rails_clearing(merchant: Merchant) -> None:
    """The order was credited when the line was matched."""
    order = {"order_id": "col_1", "charge_id": "chg_1", "currency": "COP"}
    way = {"rail": "BANK_TRANSFER", "account": "our-bank"}
    amounts = {"base": peso(50000), "fee": peso(25), "received_now": peso(50025)}
    settle(merchant_id=merchant.pk, **order, **way, **amounts, now=NOW)
    recipes.statement_imported(replace(STATEMENT, debits=peso(0)), now=NOW)

    recipes.bank_line_cleared(decided(50025, services.clearing("our-bank", PESOS)), now=NOW)

    assert total("suspense:bank:COPM") == total("clearing:our-bank:COPM") == 0
    assert total("bank:main:COPM") == -(50000 + 25)
    assert services.verify().ok


def test_a_cost_of_the_bank_may_have_its_tax_in_the_same_line() -> None:
    line = replace(
        decided("-1190", services.costs(Cost.BANK_COMMISSION, PESOS)),
        parts=(services.PostingLine(services.costs(Cost.VAT, PESOS), peso(-190)),),
    )

    assert lines_of(recipes.bank_line_cleared(line, now=NOW)) == written(
        ("suspense:bank:COPM", "1190"),
        ("costs:bank_commission:COPM", "-1000"),
        ("costs:vat:COPM", "-190"),
    )


def test_a_decision_that_is_taken_back_leaves_no_trace_in_the_balances() -> None:
    line = decided(-500, services.equity(PESOS))
    recipes.bank_line_cleared(line, now=NOW)

    recipes.bank_line_reopened(line, now=NOW)

    assert total("suspense:bank:COPM") == total("equity:COPM") == 0


def test_a_merchant_sees_a_credit_of_a_bank_movement_and_its_reversal(
    merchant: Merchant, api: ApiClient
) -> None:
    line = decided(70000, services.available(merchant.pk, PESOS))
    recipes.bank_line_cleared(line, now=NOW)
    assert balance(merchant.pk) == 70000

    recipes.bank_line_reopened(line, now=NOW)

    rows = api.get("/balance/movements").body["data"]
    assert [(row["kind"], row["subjectId"], row["amount"]) for row in rows] == [
        ("bank_line_reversed", "lma_1", -70000),
        ("bank_line_credited", "lma_1", 70000),
    ]


def test_a_credit_that_the_merchant_has_spent_is_not_reversed(merchant: Merchant) -> None:
    line = decided(70000, services.available(merchant.pk, PESOS))
    recipes.bank_line_cleared(line, now=NOW)
    gone = services.transfer(
        services.available(merchant.pk, PESOS), services.equity(PESOS), peso(1)
    )
    services.post(kind="test", subject_id="x", idempotency_key="x", lines=gone, now=NOW)

    with pytest.raises(services.InsufficientBalance):
        recipes.bank_line_reopened(line, now=NOW)


def test_a_disbursement_is_in_transit_until_the_bank_shows_it() -> None:
    entry = recipes.disbursement_declared(WOMPI, now=NOW)

    assert lines_of(entry) == written(
        ("clearing:wompi:COPM", "50025"),
        ("costs:provider_commission:COPM", "-1575.58"),
        ("costs:vat:COPM", "-299.36"),
        ("transit:wompi:COPM", "-48150.06"),
    )
    recipes.bank_line_cleared(decided("48150.06", services.transit("wompi", PESOS)), now=NOW)
    assert total("transit:wompi:COPM") == 0


@pytest.mark.parametrize(
    "post",
    [
        lambda: recipes.bank_opened(OPENING, now=NOW),
        lambda: recipes.statement_imported(STATEMENT, now=NOW),
        lambda: recipes.bank_line_cleared(decided(1, services.equity(PESOS)), now=NOW),
        lambda: recipes.bank_line_reopened(decided(1, services.equity(PESOS)), now=NOW),
        lambda: recipes.disbursement_declared(WOMPI, now=NOW),
    ],
)
def test_each_fact_of_a_bank_is_posted_once(post: Callable[[], Entry | None]) -> None:
    first = post()

    with pytest.raises(services.AlreadyPosted) as raised:
        post()

    assert raised.value.entry == first


def test_the_kinds_between_banks_and_us_are_no_filter_of_movements(api: ApiClient) -> None:
    ours = {"statement_imported", "bank_line_cleared", "disbursement_declared"}

    refused = [api.get(f"/balance/movements?kind={kind}").status_code for kind in sorted(ours)]

    assert refused == [400, 400, 400]
    assert not Account.objects.exists()
