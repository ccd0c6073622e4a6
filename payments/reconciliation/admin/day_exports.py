"""A day as a file for accountants, and its differences."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import islice

from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.utils.translation import gettext_lazy as _

from payments.console.csvtext import Cell
from payments.console.exports.files import Csv, Xlsx
from payments.console.formatting import actor
from payments.console.registry import Text
from payments.core import audit
from payments.reconciliation.models import ReconciledDay
from payments.reconciliation.services.days import accounts, sentences
from payments.reconciliation.services.days.accounts import DayAccount
from payments.reconciliation.services.journals import entries
from payments.reconciliation.services.journals.layouts import LAYOUTS

ROWS_OF_A_PIECE = 500
DIFFERENCES = "differences"
FILES: dict[str, type[Csv | Xlsx]] = {"csv": Csv, "xlsx": Xlsx}
DIFFERENCE_HEADERS = (
    *("day", "row", "kind", "what", "nextStep", "books", "provider", "bank"),
    *("ageDays", "dueOn", "overdue", "records"),
)
# The name in the address, and the button.
OFFERED: tuple[tuple[str, str, Text], ...] = (
    ("journal", "csv", _("Journal (CSV)")),
    ("journal", "xlsx", _("Journal (XLSX)")),
    ("siigo", "xlsx", "Siigo (XLSX)"),
    ("alegra", "xlsx", "Alegra (XLSX)"),
    (DIFFERENCES, "csv", _("Differences (CSV)")),
)


def response(
    request: HttpRequest, account: DayAccount, day: date, today: date, name: str, suffix: str
) -> StreamingHttpResponse:
    """Each download is in the audit log. Raises Http404."""
    if suffix not in FILES or (name != DIFFERENCES and name not in LAYOUTS):
        raise Http404
    headers, rows = _table(account, day, today, name)
    file = FILES[suffix](headers)
    audit.record(
        actor=actor(request),
        action="reconciliation.exported",
        subject=ReconciledDay(),
        account=account.slug,
        day=day.isoformat(),
        layout=name,
    )
    shown = f"{name}-{account.slug}-{day}.{suffix}"
    return StreamingHttpResponse(
        file.file(_pieces(file, rows)),
        content_type=file.content_type,
        headers={
            "Content-Disposition": f'attachment; filename="{shown}"',
            "Cache-Control": "no-store",
        },
    )


def _table(
    account: DayAccount, day: date, today: date, name: str
) -> tuple[Sequence[str], Iterator[Sequence[Cell]]]:
    if name == DIFFERENCES:
        return DIFFERENCE_HEADERS, _differences(account, day, today)
    layout = LAYOUTS[name]
    return layout.headers, map(layout.cells, entries.lines_of(account, day))


def _differences(account: DayAccount, day: date, today: date) -> Iterator[Sequence[Cell]]:
    for one in accounts.compute_day(account, day, today).differences:
        yield (
            *(one.day, str(one.flow.label), str(one.kind.label)),
            *(sentences.what(one.cause, one.facts), sentences.next_step(one.cause)),
            *one.columns,
            *(one.age_days, one.due_on, one.is_overdue),
            " ".join(f"{record.model}:{record.pk}" for record in one.records),
        )


def _pieces(file: Csv | Xlsx, rows: Iterable[Sequence[Cell]]) -> Iterator[bytes]:
    source, done = iter(rows), 0
    while chunk := list(islice(source, ROWS_OF_A_PIECE)):
        yield file.piece(chunk, done)
        done += len(chunk)
