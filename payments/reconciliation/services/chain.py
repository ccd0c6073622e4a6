"""How a statement joins those before it: no day is missing, and balances lead to each other."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import F, Max, Min, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from payments.core.days import ONE_DAY
from payments.reconciliation.formats.values import FileRefused, ParsedStatement
from payments.reconciliation.models import (
    BankAccount,
    StatementFile,
    StatementGap,
    StatementLine,
)

ZERO = Decimal(0)


class GapFound(FileRefused):
    """Movements before the statement are missing. With a reason it is imported nevertheless."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """As StatementGap."""

    first_day: date
    last_day: date
    amount: Decimal | None


def find_gap(account: BankAccount, statement: ParsedStatement) -> tuple[Gap, str] | None:
    """What is missing before the statement, with a sentence for the operator.

    Raises FileRefused for a statement that no reason makes right.
    """
    covered = _complete(account).aggregate(first=Min("first_day"), last=Max("last_day"))
    if covered["last"] is None:
        return None
    if statement.first_day < covered["first"]:
        raise FileRefused(
            _("It begins on %(day)s, before the first statement of the account (%(first)s).")
            % {"day": statement.first_day, "first": covered["first"]}
        )
    if not statement.is_complete:
        return None
    before = statement.first_day - ONE_DAY
    expected = balance_after(account, before)
    is_other = None not in (expected, statement.opening) and expected != statement.opening
    if statement.first_day <= covered["last"]:
        if is_other:
            raise FileRefused(_other_balance(before, expected, statement.opening))
        return None
    is_proven = None not in (expected, statement.opening) and not is_other
    if is_proven or (before == covered["last"] and not is_other):
        return None
    return _gap(covered["last"], before, expected, statement.opening)


def _gap(
    last: date, before: date, expected: Decimal | None, opening: Decimal | None
) -> tuple[Gap, str]:
    amount = None if opening is None or expected is None else opening - expected
    if before == last:
        return Gap(first_day=last, last_day=last, amount=amount), _other_balance(
            before, expected, opening
        )
    text = _("The statements end on %(last)s: the days from %(first)s to %(before)s are missing.")
    text %= {"last": last, "first": last + ONE_DAY, "before": before}
    if amount is not None:
        text = f"{text} {_other_balance(last, expected, opening)}"
    # The rest of the last day may be missing, too: it may have been exported at noon.
    return Gap(first_day=last, last_day=before, amount=amount), text


def _other_balance(day: date, expected: Decimal | None, opening: Decimal | None) -> str:
    text = _("The balance after %(day)s is %(expected)s, but it begins with %(opening)s.")
    return text % {"day": day, "expected": shown(expected), "opening": shown(opening)}


def shown(amount: Decimal | None) -> str:
    return "-" if amount is None else f"{amount:,.2f}"


def balance_after(account: BankAccount, day: date) -> Decimal | None:
    """What the bank account has at the end of a day. None if no statement says it.

    Until the missing movements of an accepted gap are imported, the balance of its days is
    the one before it.
    """
    with_balance = _complete(account).filter(opening__isnull=False, closing__isnull=False)
    known = with_balance.filter(first_day__lte=day + ONE_DAY).order_by("-last_day", "-pk").first()
    if known is None or known.opening is None or known.closing is None:
        return None
    if day >= known.last_day:
        return known.closing + _moved(account, known.last_day + ONE_DAY, day)
    return known.opening + _moved(account, known.first_day, day)


def _moved(account: BankAccount, first: date, last: date) -> Decimal:
    lines = StatementLine.objects.filter(account=account, booked_on__range=(first, last))
    return lines.aggregate(total=Sum("amount"))["total"] or ZERO


def check_closing(account: BankAccount, statement: ParsedStatement) -> None:
    """The stored movements of the statement's days lead to its closing balance."""
    opening, closing = statement.opening, statement.closing
    if opening is None or closing is None or not statement.is_complete:
        return
    moved = _moved(account, statement.first_day, statement.last_day)
    if opening + moved == closing:
        return
    text = _(
        "With the movements that other files have of these days, the balance after %(day)s would "
        "be %(sum)s, but the statement ends with %(closing)s."
    )
    figures = {"sum": shown(opening + moved), "closing": shown(closing)}
    raise FileRefused(text % {"day": statement.last_day, **figures})


def is_first_balance(account: BankAccount, statement: ParsedStatement) -> bool:
    has_balance = statement.is_complete and statement.opening is not None
    return has_balance and not _complete(account).filter(opening__isnull=False).exists()


def balance_before_books(file: StatementFile) -> Decimal:
    """Of the first statement with a balance: what the account had before the first movement."""
    stored = StatementLine.objects.filter(account=file.account_id, booked_on__lt=file.first_day)
    return (file.opening or ZERO) - (stored.aggregate(total=Sum("amount"))["total"] or ZERO)


class Earlier:
    """The statements of an account that were imported before one with new movements."""

    def __init__(self, account: BankAccount, *, but: StatementFile) -> None:
        complete = _complete(account).exclude(pk=but.pk)
        self.files = complete.filter(opening__isnull=False, closing__isnull=False)

    def check_beginning(self, new: Mapping[date, Decimal]) -> None:
        """The first balance includes all movements before it, known or not.

        new   the sums of the new movements by day.
        """
        first = self.files.aggregate(day=Min("first_day"))["day"]
        if first is not None and new and min(new) < first:
            text = _("It has new movements of %(day)s. The first balance is that before %(first)s.")
            raise FileRefused(text % {"day": min(new), "first": first})

    def check_closings(self, statement: ParsedStatement, new: Mapping[date, Decimal]) -> None:
        """New movements contradict no statement."""
        if not new:
            return
        overlapped = list(
            self.files.filter(first_day__lte=max(new), last_day__gte=min(new)).order_by("pk")
        )
        for file in overlapped:
            # The file may have been made in the middle of its last day.
            is_open = _covers(statement, file.last_day) or _later_covers(overlapped, file)
            last = file.last_day - ONE_DAY if is_open else file.last_day
            added = sum(
                (amount for day, amount in new.items() if file.first_day <= day <= last), ZERO
            )
            if added and file.closing is not None:
                _refuse_closing(file, file.closing, added)


def _covers(statement: ParsedStatement, day: date) -> bool:
    has_balances = statement.opening is not None and statement.closing is not None
    is_whole = statement.is_complete and has_balances
    return is_whole and statement.first_day <= day <= statement.last_day


def _later_covers(files: Iterable[StatementFile], file: StatementFile) -> bool:
    return any(one.pk > file.pk and one.first_day <= file.last_day <= one.last_day for one in files)


def _refuse_closing(file: StatementFile, closing: Decimal, added: Decimal) -> None:
    text = _(
        "It has movements of days that %(name)s has already, with other ones: the balance after "
        "%(day)s would be %(sum)s, but that statement ends with %(closing)s."
    )
    figures = {"sum": shown(closing + added), "closing": shown(closing)}
    raise FileRefused(text % {"name": file.name, "day": file.last_day, **figures})


def explain_gaps(
    account: BankAccount, new: Mapping[date, Decimal], *, but: StatementFile
) -> Decimal:
    """Counts the new movements in accepted gaps before other files. Returns their sum."""
    if not new:
        return ZERO
    explained = ZERO
    gaps = StatementGap.objects.exclude(file=but).filter(
        ~Q(amount=F("explained")),
        account=account,
        amount__isnull=False,
        first_day__lte=max(new),
        last_day__gte=min(new),
    )
    for gap in gaps:
        found = sum(
            (amount for day, amount in new.items() if gap.first_day <= day <= gap.last_day), ZERO
        )
        gap.explained += found
        gap.save(update_fields=["explained"])
        explained += found
    return explained


def _complete(account: BankAccount) -> QuerySet[StatementFile]:
    return StatementFile.objects.filter(account=account, is_complete=True)
