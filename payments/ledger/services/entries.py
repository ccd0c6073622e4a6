"""Writes entries. post() is the only writer of accounts, entries and postings."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal

from django.db import connection
from django.utils.translation import gettext_noop as _

from payments.core import money
from payments.core.errors import ServiceError
from payments.ledger.models import Account, Entry
from payments.ledger.services.accounts import AccountRef, PostingLine

# This statement locks nothing unless every account exists. A missing account is inserted first,
# because a wait for another transaction's insert while a balance is locked could be a deadlock.
_LOCK_SQL = """
WITH found AS MATERIALIZED (
    SELECT id, code, balance IS NULL AS is_system FROM ledger_account WHERE code = ANY(%(codes)s)
), locked AS MATERIALIZED (
    SELECT id, code, balance FROM ledger_account
    WHERE id IN (SELECT id FROM found WHERE NOT is_system)
        AND (SELECT count(*) FROM found) = %(count)s
    ORDER BY id  -- one order for all transactions: no deadlock
    FOR UPDATE
)
SELECT code, id, balance FROM locked UNION ALL SELECT code, id, NULL FROM found WHERE is_system
"""

_OPEN_SQL = """
INSERT INTO ledger_account (code, kind, currency, merchant_id, balance)
SELECT * FROM unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::numeric[])
ON CONFLICT (code) DO NOTHING
"""

# Entry, postings, balances and tallies in one statement, so that the locks are held for one round
# trip and the commit. If the fact is posted already, no row is inserted. The statement begins after
# the locks are taken, so it sees every earlier posting.
_POST_SQL = """
WITH entry AS (
    INSERT INTO ledger_entry (id, kind, dedupe, subject_id, memo, created_at, digest)
    VALUES (%(id)s, %(kind)s, %(dedupe)s, %(subject)s, %(memo)s::jsonb, %(at)s, %(digest)s)
    ON CONFLICT (kind, dedupe) DO NOTHING
    RETURNING id, kind, created_at
), line AS (
    SELECT * FROM unnest(
        %(accounts)s::bigint[], %(currencies)s::text[], %(amounts)s::numeric[], %(after)s::numeric[]
    ) WITH ORDINALITY AS line (account_id, currency, amount, balance_after, number)
), moment AS MATERIALIZED (
    SELECT greatest(entry.created_at, (
        SELECT max(before.created_at) FROM line, LATERAL (
            SELECT created_at FROM ledger_posting
            WHERE account_id = line.account_id ORDER BY id DESC LIMIT 1
        ) AS before WHERE line.balance_after IS NOT NULL
    )) AS at FROM entry
), moved AS (
    UPDATE ledger_account SET balance = balance + change.amount
    FROM entry, (
        SELECT account_id, sum(amount) AS amount FROM line
        WHERE balance_after IS NOT NULL GROUP BY account_id
    ) AS change
    WHERE ledger_account.id = change.account_id
), tallied AS (
    INSERT INTO ledger_postingtally (account_id, kind, day, postings)
    SELECT account_id, kind, (moment.at AT TIME ZONE 'UTC')::date, count(*)
    FROM entry, moment, line
    WHERE balance_after IS NOT NULL GROUP BY 1, 2, 3
    ON CONFLICT (account_id, day, kind)
        DO UPDATE SET postings = ledger_postingtally.postings + EXCLUDED.postings
)
INSERT INTO ledger_posting (
    entry_id, account_id, currency, amount, balance_after, kind, created_at
)
SELECT entry.id, account_id, currency, amount, balance_after, entry.kind, moment.at
FROM entry, moment, line ORDER BY number
"""

Row = tuple[int, Decimal | None]


class InsufficientBalance(ServiceError):
    """The merchant's available balance is below the debit. Nothing was written.

    `details.required` and `details.available` are in units of the balance's currency.
    """

    code = "INSUFFICIENT_BALANCE"
    message = _("The balance is not enough for this operation.")
    with_figures = _(
        "The %(currency)s balance is not enough: %(required)s needed, %(available)s available."
    )

    def __init__(self, *, required: Decimal, available: Decimal, currency: str) -> None:
        super().__init__(
            self.with_figures,
            values={
                "currency": currency,
                "required": money.Spoken(required, currency),
                "available": money.Spoken(available, currency),
            },
            details={"required": money.number(required), "available": money.number(available)},
        )


class AlreadyPosted(Exception):
    """This fact (kind and idempotency key) is on the books already, as `entry`.

    Nothing was written, and the caller's transaction can go on.
    """

    def __init__(self, entry: Entry) -> None:
        super().__init__(f"{entry.kind} {entry.dedupe} is posted already: {entry.pk}")
        self.entry = entry


class HoldUnderflow(Exception):
    """A held account would fall below zero: a defect of this service."""


def post(
    *,
    kind: str,
    subject_id: str,
    idempotency_key: str,
    lines: Iterable[PostingLine],
    now: datetime,
    memo: Mapping[str, str] | None = None,
) -> Entry:
    """Writes one entry in the caller's transaction and changes the balances of merchants.

    Lines of zero are left out. The other lines must add up to zero in each currency
    (ValueError). The merchants' balances stay locked until the commit, so call it last in the
    transaction. Raises InsufficientBalance or AlreadyPosted. After an error the transaction is
    as it was before the call.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("post() must run inside a transaction")
    wanted = [line for line in lines if line.amount]
    _check(wanted)
    entry = Entry(kind=kind, subject_id=subject_id, dedupe=idempotency_key, created_at=now)
    entry.memo = dict(memo or {})
    entry.digest = digest(entry, [written(*line) for line in wanted])
    rows = _lock({line.account for line in wanted})
    try:
        after = _balances_after(wanted, rows)
    except (InsufficientBalance, HoldUnderflow):
        # The balance may be too low because the same fact is posted already.
        if known := Entry.objects.filter(kind=kind, dedupe=idempotency_key).first():
            raise AlreadyPosted(known) from None
        raise
    if not _insert(entry, wanted, rows, after):
        raise AlreadyPosted(Entry.objects.get(kind=kind, dedupe=idempotency_key))
    entry._state.adding, entry._state.db = False, connection.alias
    return entry


def written(account: AccountRef, amount: Decimal) -> str:
    """A line of the digest: `fees:COPM COPM 25.00000000`."""
    return f"{account.code} {account.currency} {amount:.{money.DECIMAL_PLACES}f}"


def digest(entry: Entry, lines: Sequence[str]) -> bytes:
    """SHA-256 over the entry and its written lines, in the order of posting."""
    created_at = entry.created_at.astimezone(UTC).isoformat(timespec="microseconds")
    head = [entry.pk, entry.kind, entry.dedupe, entry.subject_id, created_at, entry.memo]
    text = json.dumps([head, lines], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).digest()


def _check(lines: Sequence[PostingLine]) -> None:
    """Raises ValueError for entries that the database would refuse at the commit."""
    totals: dict[str, Decimal] = defaultdict(Decimal)
    for account, amount in lines:
        exponent = amount.normalize().as_tuple().exponent
        if not isinstance(exponent, int) or -exponent > money.input_decimals(account.currency):
            raise ValueError(f"{amount} has more decimals than {account.currency}")
        totals[account.currency] += amount
    if not lines or any(totals.values()):
        raise ValueError(f"The entry does not balance: {dict(totals)}")


def _lock(accounts: set[AccountRef]) -> dict[str, Row]:
    """Locks the merchants' balances; returns {code: (account id, balance)} of all `accounts`."""
    found = _select_for_update(accounts)
    if len(found) < len(accounts):
        _open(accounts)
        found = _select_for_update(accounts)
    return found


def _select_for_update(accounts: set[AccountRef]) -> dict[str, Row]:
    codes = [account.code for account in accounts]
    with connection.cursor() as cursor:
        cursor.execute(_LOCK_SQL, {"codes": codes, "count": len(codes)})
        return {code: (pk, balance) for code, pk, balance in cursor.fetchall()}


def _open(accounts: set[AccountRef]) -> None:
    """Creates missing accounts in the order of their codes, which prevents deadlocks."""
    rows = []
    for account in sorted(accounts, key=lambda account: account.code):
        owner, balance = (account.owner, Decimal(0)) if account.is_merchants else (None, None)
        rows.append((account.code, account.kind.value, account.currency, owner, balance))
    with connection.cursor() as cursor:
        cursor.execute(_OPEN_SQL, [list(column) for column in zip(*rows, strict=True)])


def _balances_after(lines: Sequence[PostingLine], rows: Mapping[str, Row]) -> list[Decimal | None]:
    """The balance after each line; None on system accounts. Raises when one falls below zero."""
    balances = {code: balance for code, (_, balance) in rows.items()}
    after = []
    for account, amount in lines:
        balance = balances[account.code]
        if balance is not None:
            if balance + amount < 0:
                raise _shortfall(account, required=-amount, balance=balance)
            balances[account.code] = balance + amount
        after.append(balances[account.code])
    return after


def _shortfall(account: AccountRef, *, required: Decimal, balance: Decimal) -> Exception:
    if account.kind == Account.Kind.AVAILABLE:
        return InsufficientBalance(required=required, available=balance, currency=account.currency)
    return HoldUnderflow(f"{account.code} holds {balance}, {required} were to leave it")


def _insert(
    entry: Entry, lines: Sequence[PostingLine], rows: Mapping[str, Row], after: list[Decimal | None]
) -> int:
    """Returns the number of postings written: 0 when the fact is on the books already."""
    with connection.cursor() as cursor:
        cursor.execute(
            _POST_SQL,
            {
                "id": entry.pk,
                "kind": entry.kind,
                "dedupe": entry.dedupe,
                "subject": entry.subject_id,
                "memo": json.dumps(entry.memo),
                "at": entry.created_at,
                "digest": bytes(entry.digest),
                "accounts": [rows[line.account.code][0] for line in lines],
                "currencies": [line.account.currency for line in lines],
                "amounts": [line.amount for line in lines],
                "after": after,
            },
        )
        return int(cursor.rowcount)
