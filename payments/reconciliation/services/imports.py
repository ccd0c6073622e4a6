"""Imports a statement: whole, once, and only if it continues what is known.

A refused file leaves nothing but a row of the audit log.
"""

import hashlib
import io
from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import BinaryIO

from django.db import transaction
from django.utils.translation import gettext as _

from payments.core import audit, days
from payments.ledger import recipes
from payments.reconciliation import formats
from payments.reconciliation.formats.values import FileRefused, ParsedStatement
from payments.reconciliation.models import BankAccount, StatementFile, StatementGap
from payments.reconciliation.services import bank_accounts, chain, merging, storing

ZERO = Decimal(0)
REFUSED = "statement.refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewStatement:
    """
    content       bytes, or a file that is open for reading and can seek.
    account       slug of the bank account. Empty: the file has its number.
    accepted_gap  why movements before the file may be missing. Empty: they may not.
    """

    name: str
    content: bytes | BinaryIO
    source: str
    account: str = ""
    accepted_gap: str = ""

    def open(self) -> BinaryIO:
        return io.BytesIO(self.content) if isinstance(self.content, bytes) else self.content


class Progress:
    """Counts the movements of a file while they are stored. This one reports nothing."""

    def total(self, lines: int) -> None:
        """The file was read."""

    def stored(self, lines: int) -> None:
        """So many movements of the file, all of them at the end."""


def import_statement(
    *, new: NewStatement, actor: str, now: datetime, progress: Progress | None = None
) -> StatementFile:
    """A file that was imported before is returned as it is: see `is_repeated`.

    Raises FileRefused, and GapFound (chain) for one that a reason makes right.
    """
    file = new.open()
    digest = _digest(file)
    try:
        if (known := _find_known(digest, new.account)) is not None:
            return known
        file.seek(0)
        statement = formats.parse(file, today=days.day_of(now))
        (progress or Progress()).total(len(statement.lines))
        return _Import(new, statement, actor, now, progress or Progress()).run(digest, _size(file))
    except FileRefused as refused:
        _record_refusal(new, digest, refused, actor)
        raise


def is_repeated(file: StatementFile, *, now: datetime) -> bool:
    """Whether `import_statement` with this `now` found it among the imported ones."""
    return file.imported_at != now


def _digest(file: BinaryIO) -> str:
    file.seek(0)
    digest = hashlib.sha256()
    while piece := file.read(1 << 20):
        digest.update(piece)
    return digest.hexdigest()


def _size(file: BinaryIO) -> int:
    return file.seek(0, io.SEEK_END)


def _find_known(digest: str, account: str) -> StatementFile | None:
    known = StatementFile.objects.filter(sha256=digest).order_by("pk").first()
    if known is not None and account not in ("", known.account_id):
        text = _("It was imported already, for the bank account %(account)s.")
        raise FileRefused(text % {"account": known.account_id})
    return known


def _record_refusal(new: NewStatement, digest: str, refused: FileRefused, actor: str) -> None:
    audit.record(
        actor=actor,
        action=REFUSED,
        subject=StatementFile(name=new.name),
        reason=refused.reason,
        file=new.name[:200],
        sha256=digest,
        line=refused.line,
        account=new.account,
        source=new.source,
    )


@dataclass(frozen=True, slots=True)
class _Import:
    new: NewStatement
    statement: ParsedStatement
    actor: str
    now: datetime
    progress: Progress

    @transaction.atomic
    def run(self, digest: str, size: int) -> StatementFile:
        account = find_account(self.statement, self.new.account)
        # Files of one account are imported one after the other.
        account = BankAccount.objects.select_for_update(no_key=True).get(pk=account.pk)
        if (known := _find_known(digest, account.pk)) is not None:
            return known
        gap = self._accepted_gap(account)
        is_first_balance = chain.is_first_balance(account, self.statement)
        file = self._unsaved(account, digest, size)
        new, known_lines = merging.merge(self.statement.lines, storing.stored_lines(file))
        _count(file, new)
        file.save(force_insert=True)
        self._store(file, new, known_lines)
        self._check(account, file, _by_day(new))
        missing = self._keep_gap(file, gap) if gap is not None else ZERO
        explained = chain.explain_gaps(account, _by_day(new), but=file)
        self._audit(file, gap)
        if is_first_balance:
            self._open_books(file)
        self._post(file, missing - explained)
        return file

    def _accepted_gap(self, account: BankAccount) -> chain.Gap | None:
        found = chain.find_gap(account, self.statement)
        if found is None:
            return None
        gap, text = found
        if not self.new.accepted_gap:
            raise chain.GapFound(text)
        return gap

    def _unsaved(self, account: BankAccount, digest: str, size: int) -> StatementFile:
        statement = self.statement
        return StatementFile(
            account=account,
            format=statement.format,
            name=self.new.name[:200],
            sha256=digest,
            size=size,
            first_day=statement.first_day,
            last_day=statement.last_day,
            opening=statement.opening,
            closing=statement.closing,
            is_complete=statement.is_complete,
            lines=len(statement.lines),
            source=self.new.source,
            imported_by=self.actor,
            imported_at=self.now,
        )

    def _store(
        self,
        file: StatementFile,
        new: list[merging.New],
        known: list[merging.Known],
    ) -> None:
        storing.insert_lines(file, new, now=self.now, progress=self.progress.stored)
        storing.add_source(
            file,
            known,
            now=self.now,
            progress=lambda done: self.progress.stored(len(new) + done),
        )

    def _check(
        self, account: BankAccount, file: StatementFile, by_day: dict[date, Decimal]
    ) -> None:
        chain.check_closing(account, self.statement)
        earlier = chain.Earlier(account, but=file)
        earlier.check_beginning(by_day)
        earlier.check_closings(self.statement, by_day)

    def _keep_gap(self, file: StatementFile, gap: chain.Gap) -> Decimal:
        StatementGap.objects.create(
            account=file.account,
            file=file,
            first_day=gap.first_day,
            last_day=gap.last_day,
            amount=gap.amount,
            reason=self.new.accepted_gap[:500],
            accepted_by=self.actor,
            accepted_at=self.now,
        )
        return gap.amount or ZERO

    def _audit(self, file: StatementFile, gap: chain.Gap | None) -> None:
        details: dict[str, object] = {}
        if gap is not None:
            days_missing = [gap.first_day.isoformat(), gap.last_day.isoformat()]
            details = {"gap": days_missing, "gap_amount": gap.amount}
        audit.record(
            actor=self.actor,
            action="statement.imported",
            subject=file,
            reason=self.new.accepted_gap if gap is not None else "",
            account=file.account_id,
            file=file.name,
            sha256=file.sha256,
            lines=file.lines,
            new_lines=file.new_lines,
            **details,
        )

    def _open_books(self, file: StatementFile) -> None:
        opening = recipes.BankOpening(
            account=file.account_id, file_id=file.pk, amount=chain.balance_before_books(file)
        )
        recipes.bank_opened(opening, now=self.now)

    def _post(self, file: StatementFile, missing: Decimal) -> None:
        """`missing` movements of a gap are in the balance: as one sum, until they are imported."""
        read = recipes.ReadStatement(
            account=file.account_id,
            file_id=file.pk,
            credits=file.credits + max(missing, ZERO),
            debits=file.debits + max(-missing, ZERO),
        )
        recipes.statement_imported(read, now=self.now)


def _count(file: StatementFile, new: list[merging.New]) -> None:
    file.new_lines = len(new)
    file.credits = sum((one.line.amount for one in new if one.line.amount > 0), ZERO)
    file.debits = -sum((one.line.amount for one in new if one.line.amount < 0), ZERO)


def _by_day(new: list[merging.New]) -> dict[date, Decimal]:
    sums: dict[date, Decimal] = defaultdict(Decimal)
    for one in new:
        sums[one.line.booked_on] += one.line.amount
    return sums


def find_account(statement: ParsedStatement, slug: str) -> BankAccount:
    """Raises FileRefused if the file is of another account, or names none and no slug is given."""
    number = statement.account_number
    numbered = bank_accounts.accounts_numbered(number)
    if slug:
        chosen = BankAccount.objects.filter(pk=slug).first()
        if chosen is None:
            raise FileRefused(_("There is no bank account %(account)s.") % {"account": slug})
        if number and chosen not in numbered:
            text = _("It is of the account number %(number)s, and not of %(account)s.")
            raise FileRefused(text % {"number": number, "account": chosen})
        return chosen
    if len(numbered) == 1:
        return numbered[0]
    if not number:
        raise FileRefused(_("It has no account number: choose the bank account."))
    if numbered:
        text = _("Several bank accounts have the number %(number)s: choose one.")
    else:
        text = _("No bank account has the number %(number)s.")
    raise FileRefused(text % {"number": number})
