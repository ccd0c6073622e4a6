"""A statement for people: one line for each operation, as a page to print, CSV or Excel."""

import base64
import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from itertools import islice
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.console.cells import short_id
from payments.console.csvtext import Cell
from payments.console.exports.files import Csv, Xlsx
from payments.console.formatting import amount, currency_shown, day
from payments.console.registry import Text
from payments.core import masking, money
from payments.ledger.models import Entry, entry_kinds
from payments.settlement.documents import tax_row
from payments.settlement.services.operations import Operation, operations
from payments.settlement.services.statements import Statement, tax_lines

# The page holds its styles and its logo and loads nothing, so that it also works as a saved file.
# Its only script is the print button's, which the policy allows by its hash.
PRINT_SCRIPT = 'document.getElementById("print").addEventListener("click", () => print());'
_PRINT_HASH = base64.b64encode(hashlib.sha256(PRINT_SCRIPT.encode()).digest()).decode()
PAGE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; "
    f"script-src 'sha256-{_PRINT_HASH}'"
)
ROWS_OF_A_PIECE = 200
FILES: dict[str, type[Csv | Xlsx]] = {"lines-csv": Csv, "lines-xlsx": Xlsx}
# The kinds of the ledger that people know by a shorter name.
NAMES: dict[str, Text] = {
    Entry.Kind.COLLECT_SETTLED: _("Payment of an order"),
    "payout_completed": _("Payout"),
    "payout_returned": _("Payout returned"),
    "refund_completed": _("Refund to the payer"),
    "refund_returned": _("Refund that came back"),
    Entry.Kind.DISPUTE_LOST: _("Dispute lost"),
    Entry.Kind.SANDBOX_CREDITED: _("Play money"),
}


def file_response(statement: Statement, form: str, *, is_masked: bool) -> StreamingHttpResponse:
    """`form` is one of FILES. Names are masked for readers without the right to see them."""
    made = FILES[form](_headers())
    pieces = _pieces(made, _rows(statement, is_masked))
    period = statement.period
    of_what = f"{currency_shown(statement.currency)}-{period.first}-{period.last}"
    name = f"statement-{of_what}.{made.suffix}"
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "no-store",
    }
    return StreamingHttpResponse(made.file(pieces), content_type=made.content_type, headers=headers)


def _headers() -> list[str]:
    return [
        *(gettext("Date"), gettext("Operation"), gettext("Your reference")),
        *(gettext("Payer or beneficiary"), gettext("How"), gettext("Gross"), gettext("Fee")),
        *(gettext("Net"), gettext("Balance after"), gettext("Currency"), gettext("Id")),
    ]


def _rows(statement: Statement, is_masked: bool) -> Iterator[list[Cell]]:
    first = [f"{statement.period.first}", gettext("Opening balance")]
    last = [f"{localtime(statement.ends_at):%Y-%m-%d %H:%M}", gettext("Closing balance")]
    currency, nothing = currency_shown(statement.currency), ["", "", "", "", "", ""]
    yield [*first, *nothing, statement.opening.total, currency, ""]
    for each in operations(statement):
        yield [
            f"{localtime(each.at):%Y-%m-%d %H:%M}",
            _operation(each),
            each.facts.reference,
            _party(each, is_masked),
            each.facts.detail,
            each.gross,
            each.fee,
            each.net,
            each.balance,
            currency,
            each.subject_id,
        ]
    yield [*last, *nothing, statement.closing.total, currency, ""]


def _pieces(made: Csv | Xlsx, rows: Iterator[list[Cell]]) -> Iterator[bytes]:
    first = 0
    while piece := list(islice(rows, ROWS_OF_A_PIECE)):
        yield made.piece(piece, first)
        first += len(piece)


def page_response(
    statement: Statement, merchant: Merchant, *, is_masked: bool, files: dict[str, str]
) -> HttpResponse:
    """`files` are the addresses of FILES with the same lines."""
    context = {
        **_page(statement, merchant, is_masked),
        "back": reverse("admin:settlement_settlement_changelist"),
        "csv": files["lines-csv"],
        "excel": files["lines-xlsx"],
        "print_script": mark_safe(PRINT_SCRIPT),  # noqa: S308 - a constant
    }
    html = render_to_string("settlement/operations.html", context)
    headers = {"Content-Security-Policy": PAGE_POLICY, "Cache-Control": "no-store"}
    return HttpResponse(html, headers=headers)


def _page(statement: Statement, merchant: Merchant, is_masked: bool) -> dict[str, object]:
    limit, currency = settings.STATEMENT_PAGE_ROWS, statement.currency
    found = operations(statement)
    shown = list(islice(found, limit))
    has_more = next(found, None) is not None
    return {
        "statement": statement,
        "merchant": merchant,
        "logo": _logo(merchant),
        "first": day(statement.period.first),
        "last": day(statement.period.last),
        "currency": currency_shown(currency),
        "service": urlsplit(settings.PUBLIC_URL).netloc,
        "made": _made(statement.made_at),
        "opening": amount(statement.opening.total, currency),
        "closing": amount(statement.closing.total, currency),
        "held": amount(statement.closing.held, currency) if statement.closing.held else "",
        "moved": _in_and_out(statement),
        "changes": _changes(statement),
        "rows": [_row(each, is_masked, currency) for each in shown],
        "sums": None if has_more else _sums(shown, currency),
        "play_money": "" if has_more else _play_money(shown, currency),
        "has_more": has_more,
        "limit": limit,
        "tax_lines": [tax_row(line, currency) for line in tax_lines(statement)],
    }


def _made(at: datetime) -> str:
    """As in the rows, for operators too: the paper is for people."""
    local = localtime(at)
    return f"{day(local)}, {date_format(local, 'g:i a')}"


def _row(each: Operation, is_masked: bool, currency: str) -> dict[str, str]:
    at = localtime(each.at)
    return {
        "day": day(at),
        "time": date_format(at, "g:i a"),
        "name": _operation(each),
        "id": each.subject_id,
        "short": short_id(each.subject_id),
        "reference": each.facts.reference,
        "party": _party(each, is_masked),
        "detail": each.facts.detail,
        "gross": money.digits(each.gross, currency),
        "fee": money.digits(each.fee, currency) if each.fee else "",
        "net": money.digits(each.net, currency),
        "balance": money.digits(each.balance, currency),
    }


def _sums(shown: Iterable[Operation], currency: str) -> dict[str, str]:
    """Without play money, which is no income."""
    rows = [each for each in shown if each.kind != Entry.Kind.SANDBOX_CREDITED]
    sums = {
        "gross": sum((each.gross for each in rows), Decimal(0)),
        "fee": sum((each.fee for each in rows), Decimal(0)),
        "net": sum((each.net for each in rows), Decimal(0)),
    }
    return {name: money.digits(value, currency) for name, value in sums.items()}


def _play_money(shown: Iterable[Operation], currency: str) -> str:
    """What the sandbox gave, or an empty text."""
    given = [each.net for each in shown if each.kind == Entry.Kind.SANDBOX_CREDITED]
    return money.digits(sum(given, Decimal(0)), currency) if given else ""


def _in_and_out(statement: Statement) -> dict[str, str]:
    """Opening balance + in - out = closing balance."""
    sums = _sums_by_name(statement).values()
    came = sum((change for _n, change in sums if change > 0), Decimal(0))
    left = sum((-change for _n, change in sums if change < 0), Decimal(0))
    return {
        "came": amount(came, statement.currency),
        "left": amount(left, statement.currency),
    }


def _changes(statement: Statement) -> list[tuple[str, int, str]]:
    """What changed the balance, by kind. Reserved and released money changes nothing."""
    return [
        (name, times, amount(change, statement.currency))
        for name, (times, change) in _sums_by_name(statement).items()
        if change
    ]


def _sums_by_name(statement: Statement) -> dict[str, tuple[int, Decimal]]:
    sums: dict[str, tuple[int, Decimal]] = {}
    for total in statement.totals:
        name = _name(total.kind)
        times, change = sums.get(name, (0, Decimal(0)))
        sums[name] = (times + total.movements, change + total.change.total)
    return sums


def _operation(each: Operation) -> str:
    """A withdrawal is a payout in the ledger. One that came back is told as such."""
    return (each.kind == "payout_completed" and each.facts.operation) or _name(each.kind)


def _name(kind: str) -> str:
    label = NAMES.get(kind) or dict(entry_kinds()).get(kind, kind)
    text = str(label)
    return text[:1].upper() + text[1:]


def _party(each: Operation, is_masked: bool) -> str:
    return masking.full_name(each.facts.party) if is_masked else each.facts.party


def _logo(merchant: Merchant) -> str:
    """The logo as an address that holds it. Empty without a logo."""
    if merchant.logo is None:
        return ""
    content = base64.b64encode(bytes(merchant.logo.content)).decode()
    return f"data:{merchant.logo.media_type};base64,{content}"
