"""A statement as a file: CSV for programs, a page to print for people."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import islice
from typing import Any

from django.conf import settings
from django.http import HttpResponse, StreamingHttpResponse
from django.template.loader import render_to_string

from merchants.models import Merchant
from payments.core import clock, csvtext
from payments.core.console import amount, when
from payments.ledger.models import Account, Entry
from payments.settlement.models import SettlementLine
from payments.settlement.services.statements import Statement

HEADERS = [
    *("movementId", "createdAt", "kind", "subjectId", "currency", "account"),
    *("amount", "accountBalance", "balance"),
]
# The page has its style in it and needs nothing else, wherever it is kept.
PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


def csv_response(statement: Statement) -> StreamingHttpResponse:
    """The file, streamed: its size does not matter."""
    return StreamingHttpResponse(
        csv_lines(statement),
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{_name(statement)}.csv"',
            "Cache-Control": "no-store",
        },
    )


def csv_lines(statement: Statement) -> Iterator[str]:
    """Opening balance, every movement with the whole balance after it, closing balance."""
    yield csvtext.MARK + csvtext.line(HEADERS)
    start, end = (clock.iso(at) or "" for at in (statement.period.start, statement.period.end))
    yield _edge(start, "opening_balance", statement, statement.opening.total)
    for movement, balance in statement.movements():
        yield csvtext.line(
            [
                *(movement.id, clock.iso(movement.created_at) or "", movement.kind),
                *(movement.subject_id, movement.currency, movement.account),
                *(movement.amount, movement.balance_after, balance),
            ]
        )
    yield _edge(end, "closing_balance", statement, statement.closing.total)


def _edge(at: str, kind: str, statement: Statement, balance: Decimal) -> str:
    nothing = ["", ""]
    return csvtext.line(
        ["", at, kind, statement.merchant_id, statement.currency, "", *nothing, balance]
    )


def page_response(
    statement: Statement, merchant: Merchant, tax_lines: list[SettlementLine] | None = None
) -> HttpResponse:
    """The page to print, in the language of whoever asks."""
    html = render_to_string("settlement/statement.html", _page(statement, merchant, tax_lines))
    return HttpResponse(
        html, headers={"Content-Security-Policy": PAGE_POLICY, "Cache-Control": "no-store"}
    )


def _page(
    statement: Statement, merchant: Merchant, tax_lines: list[SettlementLine] | None
) -> dict[str, Any]:
    currency, limit = statement.currency, settings.STATEMENT_PAGE_ROWS
    kinds, accounts = dict(Entry.Kind.choices), dict(Account.Kind.choices)
    movements = islice(statement.movements(), limit)
    return {
        "statement": statement,
        "merchant": merchant,
        "made": when(clock.now()),
        "opening": _parts(statement.opening, currency),
        "closing": _parts(statement.closing, currency),
        "totals": [
            (kinds.get(total.kind, total.kind), total.movements, _parts(total.change, currency))
            for total in statement.totals
        ],
        "tax_lines": [_tax(line, currency) for line in tax_lines or ()],
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


def _parts(balance: Any, currency: str) -> dict[str, str]:
    parts = {"available": balance.available, "held": balance.held, "total": balance.total}
    return {name: amount(value, currency) for name, value in parts.items()}


def _tax(line: SettlementLine, currency: str) -> dict[str, str]:
    return {
        "name": line.name,
        "kind": line.get_kind_display(),
        "rate": amount(line.rate * 100, "%"),
        "base": amount(line.base, currency),
        "amount": amount(line.amount, currency),
    }


def _name(statement: Statement) -> str:
    period = statement.period
    return f"statement-{statement.currency}-{period.first}-{period.last}"
