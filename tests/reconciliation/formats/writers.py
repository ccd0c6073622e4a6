"""Writes files of banks, for round trips."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal


@dataclass(frozen=True)
class Collection:
    """A detail of Asobancaria 2001."""

    reference: str
    cents: int
    origin: str = "01"
    channel: str = "01"
    operation: str = "000000"
    authorisation: str = "000000"


def asobancaria(
    day: date, account: str, batches: Sequence[Sequence[Collection]], end: str = "\r\n"
) -> str:
    lines = [
        f"01{9001234567:010}{day:%Y%m%d}007{account:>17}{day:%Y%m%d}2359A01",
    ]
    sequence = 0
    for number, batch in enumerate(batches, 1):
        lines.append(f"05{7709998001234:013}{number:04}")
        for each in batch:
            sequence += 1
            lines.append(
                f"06{each.reference.zfill(48)}{each.cents:014}{each.origin}{each.channel}"
                f"{each.operation:6}{each.authorisation:6}0000123{sequence:07}000"
            )
        lines.append(f"08{len(batch):09}{sum(each.cents for each in batch):018}{number:04}")
    everything = [each for batch in batches for each in batch]
    lines.append(f"09{len(everything):09}{sum(each.cents for each in everything):018}")
    return "".join(f"{line:<162}{end}" for line in lines)


@dataclass(frozen=True)
class Movement:
    day: date
    amount: Decimal
    description: str = ""


def _rows(rows: Sequence[Sequence[object]], delimiter: str = ",") -> str:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter).writerows(rows)
    return file.getvalue()


def bancolombia(account: str, movements: Sequence[Movement], opening: Decimal) -> str:
    def row(day: date, pesos: Decimal, code: str, text: str) -> tuple[object, ...]:
        return (account, "123", "", f"{day:%Y%m%d}", "", f"{pesos:,.2f}", code, text, 0)

    first, last = movements[0].day, movements[-1].day
    closing = opening + sum(each.amount for each in movements)
    return _rows(
        [
            row(first, opening, "0", "SALDO INICIAL"),
            *(row(each.day, each.amount, "77", each.description) for each in movements),
            row(last, closing, "0", "SALDO FINAL"),
        ]
    )


def own_csv(movements: Sequence[Movement], opening: Decimal, delimiter: str) -> str:
    rows: list[Sequence[object]] = [("date", "amount", "description", "balance")]
    rows.append((movements[0].day, "", "", opening))
    balance = opening
    for each in movements:
        balance += each.amount
        rows.append((each.day, each.amount, each.description, balance))
    return _rows(rows, delimiter)


def mt940(account: str, movements: Sequence[Movement], opening: Decimal) -> str:
    def pesos(value: Decimal) -> str:
        return f"{abs(value):.2f}".replace(".", ",")

    def balance(day: date, value: Decimal) -> str:
        return f"{'D' if value < 0 else 'C'}{day:%y%m%d}COP{pesos(value)}"

    lines = [":20:S1", f":25:1007/{account}", ":28C:1/1"]
    lines.append(f":60F:{balance(movements[0].day, opening)}")
    for each in movements:
        mark = "D" if each.amount < 0 else "C"
        lines.append(f":61:{each.day:%y%m%d}{mark}{pesos(each.amount)}NTRFNONREF")
        if each.description:
            lines.append(f":86:{each.description}")
    closing = opening + sum(each.amount for each in movements)
    lines += [f":62F:{balance(movements[-1].day, closing)}", "-"]
    return "\r\n".join(lines)
