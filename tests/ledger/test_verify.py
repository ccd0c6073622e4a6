"""verify_ledger reads all the books and names what was changed behind our back (F16)."""

from typing import Any

import pytest
from django.db import connection

from merchants.models import Merchant
from payments.ledger import services
from payments.ledger.models import Account, Entry, Posting
from tests.ledger.books import NOW, deposit, peso, settle, tamper, verify_ledger

pytestmark = pytest.mark.django_db


@pytest.fixture
def books(merchant: Merchant) -> list[Entry]:
    """Ten settled orders of Café Andino and one deposit."""
    entries = [
        settle(
            merchant_id=merchant.pk,
            order_id=f"col_{number}",
            charge_id=f"chg_{number}",
            rail="PSE",
            account="simulator",
            currency="COP",
            base=peso(50000),
            fee=peso(25),
            received_now=peso(50025),
            now=NOW,
        )
        for number in range(10)
    ]
    part = deposit(
        merchant_id=merchant.pk,
        order_id="col_11",
        charge_id="chg_11",
        rail="BANK_TRANSFER",
        account="our-bank",
        currency="COP",
        amount=peso(1),
        idempotency_key="chg_11:1",
        now=NOW,
    )
    connection.check_constraints()  # nothing may wait for a commit when triggers are switched off
    return [*entries, part]


def test_verification_of_a_sound_ledger_finds_no_problem(books: list[Entry], capsys: Any) -> None:
    status, said = verify_ledger(capsys)

    assert said.pop("seconds") >= 0
    assert said == {"ok": True, "entries": 11, "postings": 32, "accounts": 5}
    assert status == 0


def test_empty_books_are_in_order(db: None, capsys: Any) -> None:
    status, said = verify_ledger(capsys)

    assert (status, said["ok"], said["entries"]) == (0, True, 0)


def test_one_flipped_posting_is_named(books: list[Entry], capsys: Any) -> None:
    flipped = books[4].postings.get(account__kind="available")
    tamper("UPDATE ledger_posting SET amount = amount + 1 WHERE id = %s", flipped.pk)

    status, said = verify_ledger(capsys)

    assert status == 1
    assert said["ok"] is False
    account, entry = flipped.account.code, books[4].pk
    assert said["problems"] == [
        {
            "problem": "entry_does_not_balance",
            "entry": entry,
            "currency": "COPM",
            "expected": "0",
            "found": "1",
        },
        {
            "problem": "balance_after_is_wrong",
            "entry": entry,
            "posting": flipped.pk,
            "account": account,
            "expected": "250001",
            "found": "250000",
        },
        {
            "problem": "balance_is_wrong",
            "account": account,
            "expected": "500001",
            "found": "500000",
        },
        {"problem": "entry_was_changed", "entry": entry},
    ]


def test_a_flip_that_still_balances_is_named(books: list[Entry]) -> None:
    """Between two system accounts no balance tells: the digest does."""
    tamper(
        "UPDATE ledger_posting SET amount = amount + sign(amount) WHERE entry_id = %s", books[10].pk
    )

    [problem] = services.verify().problems

    assert (problem.problem, problem.entry) == ("entry_was_changed", books[10].pk)


@pytest.mark.parametrize(
    "column",
    [
        'memo = \'{"charge": "chg_other"}\'',
        "kind = 'sandbox_credited'",
        "subject_id = 'col_other'",
        "dedupe = 'other'",
        "created_at = created_at + interval '1 microsecond'",
        "digest = sha256('')",
    ],
)
def test_a_changed_entry_is_named(books: list[Entry], column: str) -> None:
    tamper(f"UPDATE ledger_entry SET {column} WHERE id = %s", books[3].pk)

    problems = services.verify().problems

    assert {problem.entry for problem in problems} == {books[3].pk}
    assert problems[-1].problem == "entry_was_changed"


@pytest.mark.parametrize(
    "column", ["kind = 'sandbox_credited'", "created_at = created_at - interval '1 microsecond'"]
)
def test_a_posting_that_is_not_as_its_entry_is_named(books: list[Entry], column: str) -> None:
    posting = books[3].postings.get(account__kind="fees")
    tamper(f"UPDATE ledger_posting SET {column} WHERE id = %s", posting.pk)

    [problem] = services.verify().problems

    assert problem.problem == "posting_not_as_its_entry"
    assert (problem.posting, problem.entry) == (posting.pk, books[3].pk)


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("UPDATE ledger_postingtally SET postings = postings + 1", "11"),
        ("DELETE FROM ledger_postingtally", "0"),
    ],
)
def test_a_wrong_tally_is_named(
    books: list[Entry], merchant: Merchant, sql: str, found: str
) -> None:
    tamper(sql)

    [problem] = services.verify().problems

    assert problem.problem == "tally_is_wrong"
    assert problem.account == f"available:{merchant.pk}:COPM"
    assert (problem.expected, problem.found) == ("10", found)


def test_a_changed_balance_is_named(books: list[Entry], merchant: Merchant) -> None:
    tamper("UPDATE ledger_account SET balance = 1 WHERE merchant_id = %s", merchant.pk)

    [problem] = services.verify().problems

    assert problem.problem == "balance_is_wrong"
    assert problem.account == f"available:{merchant.pk}:COPM"
    assert (problem.expected, problem.found) == ("500000", "1")


def test_a_changed_balance_after_is_named(books: list[Entry]) -> None:
    posting = Posting.objects.filter(balance_after=100000).get()
    tamper("UPDATE ledger_posting SET balance_after = 1 WHERE id = %s", posting.pk)

    problems = services.verify().problems

    assert {problem.problem for problem in problems} == {"balance_after_is_wrong"}
    assert min(problem.posting for problem in problems) == posting.pk, "and the step after it"


def test_postings_on_another_account_are_named(books: list[Entry]) -> None:
    fees = Account.objects.get(code="fees:COPM")
    clearing = Account.objects.get(code="clearing:simulator:COPM")
    tamper(
        "UPDATE ledger_posting SET account_id = %s WHERE entry_id = %s AND account_id = %s",
        *(clearing.pk, books[0].pk, fees.pk),
    )

    [problem] = services.verify().problems

    assert (problem.problem, problem.entry) == ("entry_was_changed", books[0].pk)


def test_lost_postings_are_named(books: list[Entry]) -> None:
    tamper("DELETE FROM ledger_posting WHERE entry_id = %s", books[10].pk)

    [problem] = services.verify().problems

    assert (problem.problem, problem.entry) == ("entry_without_postings", books[10].pk)


def test_a_lost_entry_is_named(books: list[Entry]) -> None:
    tamper("DELETE FROM ledger_entry WHERE id = %s", books[10].pk)

    problems = services.verify().problems

    assert {problem.problem for problem in problems} == {"posting_without_entry_or_account"}
    assert {problem.entry for problem in problems} == {books[10].pk}


def test_a_posting_in_another_currency_is_named(books: list[Entry]) -> None:
    tamper("UPDATE ledger_posting SET currency = 'USDT' WHERE entry_id = %s", books[10].pk)

    problems = services.verify().problems

    kinds = [problem.problem for problem in problems]
    assert kinds == ["posting_of_another_currency"] * 2 + ["entry_was_changed"]
