"""verify_ledger reads large books quickly, and still names one row that was changed."""

import time
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from payments.ledger.models import Account, Entry, Posting
from payments.ledger.services.entries import digest
from tests.faults import SCALE
from tests.ledger.books import NOW, peso, settle, tamper, verify_ledger
from tests.support.database import triggers_asleep
from tests.support.factories import MerchantFactory
from tests.support.measurements import record

pytestmark = [pytest.mark.django_db, pytest.mark.faults("F16"), pytest.mark.slow]
MERCHANTS = 20
# The promise, for 100,000 entries.
SECONDS = 30


def test_large_books_are_proved_and_one_changed_row_is_named(capsys: Any) -> None:
    codes = [first_order(number) for number in range(MERCHANTS)]
    entries = 100_000 if SCALE >= 1 else 2_000
    fill(entries - MERCHANTS, codes)

    started = time.monotonic()
    status, said = verify_ledger(capsys)
    seconds = time.monotonic() - started
    assert (status, said["ok"], said["entries"]) == (0, True, entries), said
    assert said["postings"] == 3 * entries

    changed = Posting.objects.filter(balance_after=None).order_by("pk")[entries // 2]
    tamper("UPDATE ledger_posting SET amount = amount - 1 WHERE id = %s", changed.pk)
    status, said = verify_ledger(capsys)
    named = {problem["problem"] for problem in said["problems"]}
    assert status == 1
    assert {problem["entry"] for problem in said["problems"]} == {changed.entry_id}
    assert named == {"entry_does_not_balance", "entry_was_changed"}
    with capsys.disabled():
        record(
            f"\nverify_ledger: {entries:,} entries, {3 * entries:,} postings in {seconds:.1f} s; "
            f"1 of them changed: entry {changed.entry_id} named",
            rows_changed=1,
            rows_named=len({problem["entry"] for problem in said["problems"]}),
        )
    assert seconds < SECONDS, f"{SCALE=}"


def first_order(number: int) -> dict[str, str]:
    """A merchant with its accounts, as its first order opens them: {role: code}."""
    merchant = MerchantFactory()
    entry = settle(
        merchant_id=merchant.pk,
        order_id=f"col_first{number}",
        charge_id=f"chg_first{number}",
        rail="PSE",
        account="simulator",
        currency="COP",
        base=peso(1000),
        fee=peso(1),
        received_now=peso(1001),
        now=NOW,
    )
    connection.check_constraints()
    return dict(entry.postings.values_list("account__kind", "account__code"))


def fill(entries: int, codes: list[dict[str, str]]) -> None:
    """That many more orders of these merchants, written as the books write them, in bulk."""
    accounts = dict(Account.objects.values_list("code", "pk"))
    made = list(orders(entries, codes))
    with triggers_asleep() as cursor:
        Entry.objects.bulk_create([entry for entry, _lines in made], batch_size=2000)
        Posting.objects.bulk_create(
            (
                Posting(
                    entry=entry,
                    account_id=accounts[code],
                    currency="COPM",
                    amount=amount,
                    balance_after=after,
                    kind=entry.kind,
                    created_at=entry.created_at,
                )
                for entry, lines in made
                for code, amount, after in lines
            ),
            batch_size=2000,
        )
        cursor.execute(
            "UPDATE ledger_account SET balance = (SELECT sum(amount) FROM ledger_posting"
            " WHERE account_id = ledger_account.id) WHERE balance IS NOT NULL"
        )
        cursor.execute("DELETE FROM ledger_postingtally")
        cursor.execute(
            "INSERT INTO ledger_postingtally (account_id, day, kind, postings)"
            " SELECT account_id, (created_at AT TIME ZONE 'UTC')::date, kind, count(*)"
            " FROM ledger_posting WHERE balance_after IS NOT NULL GROUP BY 1, 2, 3"
        )
        cursor.execute("ANALYZE ledger_posting, ledger_entry, ledger_account, ledger_postingtally")


Lines = list[tuple[str, Decimal, Decimal | None]]


def orders(entries: int, codes: list[dict[str, str]]) -> Iterator[tuple[Entry, Lines]]:
    """Settled orders of 1,000 pesos and a fee of one, merchant after merchant."""
    for number in range(entries):
        book = codes[number % MERCHANTS]
        after = 1000 * (number // MERCHANTS + 2)
        lines: Lines = [
            (book["available"], Decimal(1000), Decimal(after)),
            (book["clearing"], Decimal(-1001), None),
            (book["fees"], Decimal(1), None),
        ]
        entry = Entry(
            kind=Entry.Kind.COLLECT_SETTLED,
            dedupe=f"col_{number}",
            subject_id=f"col_{number}",
            memo={},
            created_at=NOW + timedelta(seconds=number),
        )
        entry.digest = digest(entry, [f"{code} COPM {amount:.8f}" for code, amount, _ in lines])
        yield entry, lines
