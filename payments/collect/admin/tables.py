"""Tables below an order: its charges, and the events after the payment."""

from collections.abc import Callable, Iterable
from itertools import compress
from typing import Any

from django.db import models
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from merchants.models import Method
from payments.collect.admin.labels import status_badge
from payments.collect.admin.timelines import unmatched_of
from payments.collect.models import Charge, Order
from payments.console import tenancy
from payments.console.cells import short_id
from payments.console.code_words import code_words
from payments.console.formatting import amount, link, table, when
from payments.console.reason_words import reason_word

# The header and the content of each column.
Columns = list[tuple[object, Callable[[Any], object]]]
CHARGES: Columns = [
    (_("charge"), lambda charge: short_link(charge)),
    (
        _("method"),
        lambda charge: (
            code_words(charge.direct_method) if charge.direct_method else _method(charge)
        ),
    ),
    (_("status"), status_badge),
    (_("amount due"), lambda charge: amount(charge.amount, charge.currency)),
    (_("received"), lambda charge: amount(charge.received, charge.currency)),
    (_("trace code"), lambda charge: charge.trace_code or "-"),
    (_("reason"), lambda charge: _failure_reason(charge)),
    (_("created at"), lambda charge: when(charge.created_at)),
]
REFUNDS: Columns = [
    (_("refund"), lambda refund: short_link(refund)),
    (_("status"), status_badge),
    (_("amount"), lambda refund: amount(refund.amount, refund.order.currency)),
    (_("reason"), lambda refund: refund.reason),
    (_("requested at"), lambda refund: when(refund.created_at)),
    (_("completed at"), lambda refund: when(refund.completed_at)),
]
DISPUTES: Columns = [
    (_("dispute"), lambda dispute: short_link(dispute)),
    (_("kind"), lambda dispute: dispute.get_kind_display()),
    (_("status"), status_badge),
    (_("disputed"), lambda dispute: amount(dispute.amount, dispute.order.currency)),
    (_("reason"), lambda dispute: dispute.reason),
    (_("opened at"), lambda dispute: when(dispute.opened_at)),
    (_("closed at"), lambda dispute: when(dispute.closed_at)),
]
UNMATCHED: Columns = [
    (_("id"), lambda funds: short_link(funds)),
    (_("status"), status_badge),
    (_("amount"), lambda funds: amount(funds.amount, funds.currency)),
    (_("reason"), lambda funds: funds.get_reason_display()),
    (_("created at"), lambda funds: when(funds.created_at)),
    (_("decided at"), lambda funds: when(funds.decided_at)),
]


def tables(order: Order) -> list[dict[str, Any]]:
    kinds: list[tuple[object, Columns, Iterable[models.Model]]] = [
        (_("Charges"), CHARGES, order.charges.all()),
        (_("Refunds"), REFUNDS, order.refunds.all()),
        (_("Disputes"), DISPUTES, order.disputes.all()),
        (_("Unmatched funds"), UNMATCHED, unmatched_of(order)),
    ]
    return [_table(title, columns, rows) for title, columns, rows in kinds if rows]


def _table(title: object, columns: Columns, rows: Iterable[models.Model]) -> dict[str, Any]:
    """Without the columns that have nothing in any row."""
    cells = [[cell(row) for _header, cell in columns] for row in rows]
    filled = [any(row[place] not in ("", "-") for row in cells) for place in range(len(columns))]
    headers = compress((header for header, _cell in columns), filled)
    return table(title, list(headers), [list(compress(row, filled)) for row in cells])


def short_link(row: models.Model) -> str:
    """The ends of the id: the page has the whole one."""
    return link(row, format_html('<span class="whitespace-nowrap">{}</span>', short_id(row.pk)))


def _method(charge: Charge) -> str:
    """With its coin and network: `USDT, Polygon (PoS)`."""
    method = charge.get_method_display()
    is_coin = charge.method == Method.CRYPTO
    return f"{method}: {charge.currency}, {charge.network_name or '-'}" if is_coin else method


def _failure_reason(charge: Charge) -> str:
    """For operators only, because the reason comes from the rail."""
    return "-" if tenancy.current_user_is_merchant() else reason_word(charge.failure_reason) or "-"
