"""Keeps the totals of days: of system accounts (AccountDay), and of fees (FeeDay).

Postings are added in the order of their ids. Ids are drawn before the commit, so a smaller id may
be committed after a larger one. A transaction that inserts postings locks their table (in a mode
that stops no other) before it draws an id, until its end. So all ids up to one that is visible are
final once the transactions that had this lock then have ended.
"""

import time

from django.db import connection, transaction

from payments.core.days import TIMEZONE
from payments.ledger.models import TotalsCursor

BATCH = 50_000
WAIT_SECONDS = 5.0
PAUSE_SECONDS = 0.02

# A transaction that has drawn an id holds this mode. A vacuum, which may take hours, holds another.
# pg_locks has the locks of all databases.
_WRITERS_SQL = """
SELECT virtualtransaction FROM pg_locks
WHERE locktype = 'relation' AND relation = 'ledger_posting'::regclass AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND mode = 'RowExclusiveLock'
    AND pid IS DISTINCT FROM pg_backend_pid()
"""

_ADD_SQL = """
INSERT INTO ledger_accountday (account_id, day, debits, credits, postings)
SELECT account_id, (created_at AT TIME ZONE %(timezone)s)::date,
    -sum(least(amount, 0)), sum(greatest(amount, 0)), count(*)
FROM ledger_posting
WHERE id > %(after)s AND id <= %(upto)s AND balance_after IS NULL
GROUP BY 1, 2 ORDER BY 1, 2
ON CONFLICT (account_id, day) DO UPDATE SET
    debits = ledger_accountday.debits + EXCLUDED.debits,
    credits = ledger_accountday.credits + EXCLUDED.credits,
    postings = ledger_accountday.postings + EXCLUDED.postings
"""

# The merchant is that of the entry's posting on a merchant's account. Taxes have it in the memo.
_ADD_FEES_SQL = """
INSERT INTO ledger_feeday (day, kind, method, merchant_id, currency, amount, postings)
SELECT (posting.created_at AT TIME ZONE %(timezone)s)::date, posting.kind,
    COALESCE(entry.memo ->> 'rail', ''), merchant.id, posting.currency, sum(posting.amount),
    count(*)
FROM ledger_posting AS posting
    JOIN ledger_account AS account ON account.id = posting.account_id AND account.kind = 'fees'
    JOIN ledger_entry AS entry ON entry.id = posting.entry_id
    LEFT JOIN LATERAL (
        SELECT owner.merchant_id FROM ledger_posting AS other
            JOIN ledger_account AS owner ON owner.id = other.account_id
        WHERE other.entry_id = entry.id AND other.balance_after IS NOT NULL LIMIT 1
    ) AS whose ON true
    LEFT JOIN merchants_merchant AS merchant
        ON merchant.id = COALESCE(whose.merchant_id, entry.memo ->> 'merchant')
WHERE posting.id > %(after)s AND posting.id <= %(upto)s AND posting.balance_after IS NULL
GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 5, 2, 3, 4
ON CONFLICT (day, currency, kind, method, (COALESCE(merchant_id, ''))) DO UPDATE SET
    amount = ledger_feeday.amount + EXCLUDED.amount,
    postings = ledger_feeday.postings + EXCLUDED.postings
"""


def add_postings() -> int:
    """Adds all postings that are final. Returns how many ids it passed.

    Any number of processes may call it at the same time, and each posting counts once.
    """
    newest = _newest()
    if not _are_final():
        return 0
    passed = 0
    while added := _add_batch(newest):
        passed += added
    return passed


def _newest() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT COALESCE(max(id), 0) FROM ledger_posting")
        return int(cursor.fetchone()[0])


def _are_final() -> bool:
    """Waits for those who write postings now. False if one of them takes too long."""
    writers, give_up = _writers(), time.monotonic() + WAIT_SECONDS
    while writers:
        if time.monotonic() > give_up:
            return False
        time.sleep(PAUSE_SECONDS)
        writers &= _writers()
    return True


def _writers() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(_WRITERS_SQL)
        return {row[0] for row in cursor.fetchall()}


@transaction.atomic
def _add_batch(newest: int) -> int:
    TotalsCursor.objects.bulk_create([TotalsCursor()], ignore_conflicts=True)
    totals = TotalsCursor.objects.select_for_update().get()
    upto = min(newest, totals.posting_id + BATCH)
    if upto <= totals.posting_id:
        return 0
    with connection.cursor() as cursor:
        after = totals.posting_id
        for sql in (_ADD_SQL, _ADD_FEES_SQL):
            cursor.execute(sql, {"timezone": TIMEZONE, "after": after, "upto": upto})
    totals.posting_id = upto
    totals.save(update_fields=["posting_id"])
    return upto - after
