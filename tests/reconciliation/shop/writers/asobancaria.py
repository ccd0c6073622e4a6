"""Asobancaria 2001: the referenced collections of one day, 162 characters a line."""

from tests.reconciliation.shop.lines import BankLine
from tests.reconciliation.shop.plan import Channel
from tests.reconciliation.shop.writers.period import Period

WIDTH = 162
ORIGINS = {Channel.ACH: "03", Channel.NEQUI: "03"}


def write(period: Period) -> bytes:
    """One file holds one day: the header has one date of collection."""
    assert period.first_day == period.last_day
    collected = [line for line in period.lines if line.is_collected]
    records = [
        _header(period),
        f"057709998000015{1:04}",
        *(_detail(line, number) for number, line in enumerate(collected, 1)),
        f"08{_totals(collected)}{1:04}",
        f"09{_totals(collected)}",
    ]
    return b"".join(f"{record:<{WIDTH}}\r\n".encode("ascii") for record in records)


def _header(period: Period) -> str:
    account = period.account
    day = f"{period.first_day:%Y%m%d}"
    return f"01{account.nit:0>10}{day}{account.bank:0>3}{account.number:>17}{day}2359A01"


def _detail(line: BankLine, number: int) -> str:
    return (
        f"06{line.typed:0>48}{_cents(line):014}{ORIGINS.get(line.channel, '01')}15"
        f"{line.operation}{line.authorisation}0000001{number:07}000"
    )


def _totals(lines: list[BankLine]) -> str:
    return f"{len(lines):09}{sum(map(_cents, lines)):018}"


def _cents(line: BankLine) -> int:
    return int(line.amount * 100)
