"""What a file may cost. Both limits are settings, so that no file fills the memory."""

from collections.abc import Iterable

from django.conf import settings
from django.utils.translation import gettext as _

from payments.reconciliation.formats.values import FileRefused, ParsedLine

# A movement of MT940 has its text in up to six lines more.
_LINES_OF_MOVEMENT = 10
# Of one file: one for each day of many years.
_MOST_STATEMENTS = 10_000


def check_size(size: int) -> None:
    if size == 0:
        raise FileRefused(_("The file is empty."))
    if size > settings.BANK_STATEMENT_MAX_BYTES:
        reason = _("The file has %(size)s bytes, and at most %(most)s are read. Divide it by days.")
        raise FileRefused(reason % {"size": size, "most": settings.BANK_STATEMENT_MAX_BYTES})


def check_lines(count: int) -> None:
    most = settings.BANK_STATEMENT_MAX_LINES * _LINES_OF_MOVEMENT
    if count > most:
        reason = _("The file has more than %(most)s lines. Divide it by days.")
        raise FileRefused(reason % {"most": most})


def check_statements(count: int) -> None:
    if count > _MOST_STATEMENTS:
        reason = _("The file has more than %(most)s statements. Divide it by days.")
        raise FileRefused(reason % {"most": _MOST_STATEMENTS})


def check_movements(count: int, line: int | None = None) -> None:
    most = settings.BANK_STATEMENT_MAX_LINES
    if count > most:
        reason = _("The file has more than %(most)s movements. Divide it by days.")
        raise FileRefused(reason % {"most": most}, line)


def gather(lines: Iterable[ParsedLine]) -> list[ParsedLine]:
    gathered: list[ParsedLine] = []
    for line in lines:
        gathered.append(line)
        check_movements(len(gathered), line.line)
    return gathered
