"""Entries of a day by the bank's date: each movement of the bank, or each disbursement.

Each entry balances: debits = credits. The ledger has the dates of the imports; accountants book by
the date of the bank.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from payments.core import money
from payments.ledger import services as ledger
from payments.ledger.models import Account, Posting
from payments.ledger.services.puc import PucTable
from payments.reconciliation.models import (
    AccountKind,
    BankAccount,
    Disbursement,
    Flow,
    StatementLine,
)
from payments.reconciliation.services.days.accounts import DayAccount
from payments.reconciliation.services.disbursements.imports import COSTS

NOTHING = Decimal(0)
PESOS = money.BALANCE_OF_FIAT
# Few lines are in one query, so that a day of any size is exported.
CHUNK = 1000
Part = tuple[str, str, Decimal]


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalLine:
    """entry  counts the entries of the file from 1. One of debit and credit is zero."""

    entry: int
    day: date
    puc: str
    puc_name: str
    account: str
    third_party: str
    description: str
    record: str
    debit: Decimal
    credit: Decimal


def lines_of(account: DayAccount, day: date) -> Iterator[JournalLine]:
    table = PucTable.load()
    entries = _of_bank(account.slug, day) if account.kind == AccountKind.BANK else None
    for number, (third_party, description, record, parts) in enumerate(
        entries if entries is not None else _of_acquirer(account.slug, day), start=1
    ):
        for kind, owner, amount in parts:
            puc = table.of(kind, owner)
            yield JournalLine(
                entry=number,
                day=day,
                puc=puc.code,
                puc_name=puc.name,
                account=f"{kind}:{owner}" if owner else kind,
                third_party=third_party,
                description=description,
                record=record,
                debit=max(-amount, NOTHING),
                credit=max(amount, NOTHING),
            )


Entry = tuple[str, str, str, Sequence[Part]]


def _of_bank(slug: str, day: date) -> Iterator[Entry]:
    """Above zero is a credit, as in the ledger. Undecided ones are in `suspense:bank`."""
    nit = BankAccount.objects.values_list("document", flat=True).get(pk=slug)
    after = 0
    rows = StatementLine.objects.filter(account=slug, booked_on=day).order_by("pk")
    while chunk := list(rows.filter(pk__gt=after)[:CHUNK]):
        after = chunk[-1].pk
        parts = _parts([line.pk for line in chunk])
        for line in chunk:
            own: Part = (Account.Kind.BANK.value, slug, -line.amount)
            other = parts.get(line.pk) or [(Account.Kind.SUSPENSE.value, "bank", line.amount)]
            yield line.document or nit, line.description, f"movement {line.pk}", [own, *other]


def _parts(lines: Sequence[int]) -> Mapping[int, list[Part]]:
    """Where the ledger booked each decided movement."""
    undecided = ledger.undecided(PESOS).code
    rows = (
        Posting.objects.filter(
            entry__subject_id__in=StatementLine.objects.filter(
                pk__in=lines, matches__undone_at=None, matches__isnull=False
            ).values("matches__pk")
        )
        .exclude(account__code=undecided)
        .order_by("pk")
        .values_list("entry__memo", "account__kind", "account__code", "amount")
    )
    found: dict[int, list[Part]] = defaultdict(list)
    for memo, kind, code, amount in rows:
        found[int(memo["line"])].append((kind, _owner(kind, code), amount))
    return found


def _owner(kind: str, code: str) -> str:
    """`costs:gmf:COPM` is of gmf. Merchants share one PUC account."""
    owner = code.removeprefix(f"{kind}:").rpartition(":")[0]
    return "" if kind in Account.OF_MERCHANTS else owner


def _of_acquirer(slug: str, day: date) -> Iterator[Entry]:
    for one in Disbursement.objects.filter(account=slug, day=day).order_by("pk"):
        costs: list[Part] = [
            (Account.Kind.COSTS.value, cost.value, -getattr(one, name))
            for name, cost in COSTS.items()
            if getattr(one, name)
        ]
        gross: Part = (Account.Kind.CLEARING.value, slug, one.gross)
        net: Part = (Account.Kind.TRANSIT.value, slug, -one.net)
        text = f"{Flow.DISBURSEMENTS.label} {one.number}".strip()
        yield "", text, f"disbursement {one.pk}", [gross, *costs, net]
