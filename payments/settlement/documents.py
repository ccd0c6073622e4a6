"""A statement as a file: CSV for programs, a page to print for people."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from itertools import islice
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse
from django.template.loader import render_to_string

from merchants.models import Merchant
from payments.console import csvtext
from payments.console.formatting import amount, currency_shown, day, when
from payments.ledger.models import Account, entry_kinds
from payments.settlement.models import SettlementLine
from payments.settlement.services.period_balances import Balance
from payments.settlement.services.statements import Statement, tax_lines
from payments.settlement.statement_lock import LockedStream, StatementLock

MOVEMENT_HEADERS = ["movementId", "createdAt", "kind", "subjectId", "currency", "account"]
AMOUNT_HEADERS = ["amount", "accountBalance", "balance"]
TAX_HEADERS = ["date", "tax", "rate", "base"]  # filled on tax lines only
HEADERS = MOVEMENT_HEADERS + AMOUNT_HEADERS + TAX_HEADERS
LINES_OF_A_PIECE = 200
NO_TAX = [""] * len(TAX_HEADERS)
# The page holds its styles and loads nothing, so that it also works as a saved file.
PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


def csv_response(statement: Statement, lock: StatementLock | None = None) -> StreamingHttpResponse:
    """Closing the stream releases the lock."""
    lines = _pieces(csv_lines(statement))
    return StreamingHttpResponse(
        lines if lock is None else LockedStream(lines, lock),
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{_name(statement)}.csv"',
            "Cache-Control": "no-store",
        },
    )


def _pieces(lines: Iterator[str]) -> Iterator[str]:
    """The first line alone, then groups of lines: each piece costs the web server time."""
    yield next(lines)
    while piece := "".join(islice(lines, LINES_OF_A_PIECE)):
        yield piece


def csv_lines(statement: Statement) -> Iterator[str]:
    """Opening balance, every movement with the total balance after it, closing balance; then the
    tax lines of closed days, which move nothing."""
    yield csvtext.MARK + csvtext.line(HEADERS)
    end = statement.ends_at
    yield _edge(statement.period.start, "opening_balance", statement, statement.opening.total)
    for movement, balance in statement.movements():
        end = max(end, movement.created_at)  # posted later, or by a machine with a fast clock
        about = [movement.kind, movement.subject_id, movement.currency, movement.account]
        amounts = [movement.amount, movement.balance_after, balance]
        yield csvtext.line([movement.id, movement.created_at, *about, *amounts, *NO_TAX])
    yield _edge(end, "closing_balance", statement, statement.closing.total)
    for line in tax_lines(statement):
        yield _tax_row(line)


def _edge(at: datetime, kind: str, statement: Statement, balance: Decimal) -> str:
    about = [statement.merchant_id, statement.currency]
    return csvtext.line(["", at, kind, *about, "", "", "", balance, *NO_TAX])


def _tax_row(line: SettlementLine) -> str:
    day, kind = line.settlement, f"tax_{line.kind.lower()}"
    tax = [day.date.isoformat(), line.name, line.rate, line.base]
    return csvtext.line(
        ["", day.closed_at, kind, day.pk, day.currency, "", line.amount, "", "", *tax]
    )


def page_response(statement: Statement, merchant: Merchant) -> HttpResponse:
    html = render_to_string("settlement/statement.html", _page(statement, merchant))
    headers = {"Content-Security-Policy": PAGE_POLICY, "Cache-Control": "no-store"}
    return HttpResponse(html, headers=headers)


def _page(statement: Statement, merchant: Merchant) -> dict[str, object]:
    currency, limit = statement.currency, settings.STATEMENT_PAGE_ROWS
    kinds, accounts = dict(entry_kinds()), dict(Account.Kind.choices)
    movements = islice(statement.movements(), limit)
    return {
        "statement": statement,
        "merchant": merchant,
        "first": day(statement.period.first),
        "last": day(statement.period.last),
        "currency": currency_shown(currency),
        "service": urlsplit(settings.PUBLIC_URL).netloc,
        "made": when(statement.made_at),
        "opening": _parts(statement.opening, currency),
        "closing": _parts(statement.closing, currency),
        "totals": [
            (kinds.get(total.kind, total.kind), total.movements, _parts(total.change, currency))
            for total in statement.totals
        ],
        "tax_lines": [tax_row(line, currency) for line in tax_lines(statement)],
        "movements": [
            {
                "when": when(movement.created_at),
                "kind": kinds.get(movement.kind, movement.kind),
                "subject": movement.subject_id,
                "account": accounts[movement.account],
                "amount": amount(movement.amount, currency),
                "balance": amount(balance, currency),
            }
            for movement, balance in movements
        ],
        "left_out": max(0, statement.movement_count - limit),
    }


def _parts(balance: Balance, currency: str) -> dict[str, str]:
    parts = {"available": balance.available, "held": balance.held, "total": balance.total}
    return {name: amount(value, currency) for name, value in parts.items()}


def tax_row(line: SettlementLine, currency: str) -> dict[str, str]:
    return {
        "name": line.name,
        "date": day(line.settlement.date),
        "kind": line.get_kind_display(),
        "rate": amount(line.rate * 100, "%"),
        "base": amount(line.base, currency),
        "amount": amount(line.amount, currency),
    }


def _name(statement: Statement) -> str:
    period = statement.period
    return f"statement-{statement.currency}-{period.first}-{period.last}"
