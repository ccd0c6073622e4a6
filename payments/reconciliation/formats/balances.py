"""Whether the movements of a file lead from its first balance to its last one."""

from collections.abc import Iterable
from decimal import Decimal

from django.utils.translation import gettext as _

from payments.reconciliation.formats.values import FileRefused, ParsedLine

ZERO = Decimal(0)


def total(lines: Iterable[ParsedLine]) -> Decimal:
    return sum((line.amount for line in lines), ZERO)


def shown(pesos: Decimal) -> str:
    return f"{pesos:,.2f}"


def check_closing(
    opening: Decimal, lines: list[ParsedLine], closing: Decimal, at: int | None = None
) -> None:
    credits = total(line for line in lines if line.amount > 0)
    debits = -total(line for line in lines if line.amount < 0)
    if opening + credits - debits == closing:
        return
    reason = _(
        "Opening balance %(opening)s + credits %(credits)s − debits %(debits)s is %(sum)s, but the"
        " closing balance is %(closing)s."
    )
    figures = {
        "opening": opening,
        "credits": credits,
        "debits": debits,
        "sum": opening + credits - debits,
        "closing": closing,
    }
    raise FileRefused(reason % {name: shown(value) for name, value in figures.items()}, at)
