"""What the bank charges: known by its own texts at their beginning, and checked by arithmetic.

A text alone decides only about the bank's own charges: they are debits, and name no other party.
"""

import re
from collections.abc import Sequence
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal

from django.db.models import QuerySet, Sum

from payments.core.money import BALANCE_OF_FIAT
from payments.ledger import services as ledger
from payments.ledger.models import Cost
from payments.providers.colombian_banks import FORMER_NAMES, NAMES
from payments.reconciliation.models import MatchKind, StatementLine
from payments.reconciliation.services.matching import evidence, texts
from payments.reconciliation.services.matching.values import Candidate, Fact, Search, fact

GMF_RATE = Decimal("0.004")
VAT_RATE = Decimal("0.19")
# Banks round each charge, and some of them each movement of a day.
PESO = Decimal(1)
# Banks collect the tax of a month at its end, too.
MONTH = timedelta(days=35)
_TEXTS: tuple[tuple[Cost, re.Pattern[str]], ...] = (
    (
        Cost.GMF,
        re.compile(
            r"(CXC )?IMPTO\.? GOBIERNO 4 ?X ?(1000|MIL)|GMF\b|(COBRO )?GMF$"
            r"|GRAVAMEN (A (LOS )?)?MOVIMIENTOS? FINANCIEROS?|4 ?X ?(1000|MIL)\b"
        ),
    ),
    (Cost.VAT, re.compile(r"COBRO IVA\b|IVA (CUOTA|COMISION|SERVICIO|PAGO|COBRO)|IVA$")),
    (Cost.ICA_WITHHOLDING, re.compile(r"RETE(NCION)?( DE| EN)? ?ICA\b")),
    (Cost.VAT_WITHHOLDING, re.compile(r"RETE(NCION)?( DE| EN)? ?IVA\b")),
    (Cost.INCOME_WITHHOLDING, re.compile(r"RETENCION EN LA FUENTE|RETE ?FUENTE|RTE ?FTE")),
    (
        Cost.BANK_COMMISSION,
        re.compile(
            r"SERVICIO PAGO A (PROVEEDORES|OTROS BANCOS|NOMINA)|CUOTA PLAN CANAL NEGOCIOS"
            r"|CUOTA (DE )?MANEJO|(COBRO )?COMISION\b"
        ),
    ),
)
_COMMON = {"BANCO", "DE", "SAS", "SA"}
_OF_OTHERS = {"ANTES", "COLOMBIA", "COOPERATIVA", "FINANCIERA", "FINANZAS", "NEGOCIOS", "Y"}
# The bank pays it.
_INTEREST = re.compile(
    r"(ABONO|PAGO)( DE)? INTERESES\b|INTERESES (DE )?(AHORROS?|PAGADOS|ABONADOS)"
)


def find(search: Search) -> Sequence[Candidate]:
    line = search.line
    if line.amount > 0:
        return _interest(search)
    if (cost := cost_named(line)) is None:
        return []
    facts = [fact("bank_text", text=line.description)]
    differs: list[Fact] = []
    if cost == Cost.GMF:
        arithmetic, is_possible = _gmf(line)
        facts.append(arithmetic)
        if not is_possible:
            differs.append(fact("gmf_too_high", amount=-line.amount))
    if cost == Cost.VAT:
        facts.append(_vat(line))
    if not _is_banks_own(line):
        differs.append(fact("other_party", party=line.counterparty or line.document))
    return [candidate_of(cost, tuple(facts), tuple(differs), is_certain=not differs)]


def _interest(search: Search) -> Sequence[Candidate]:
    line = search.line
    if _INTEREST.match(texts.plain(line.description)) is None:
        return []
    facts, differs = (fact("bank_text", text=line.description),), list[Fact]()
    if line.reference or not _is_banks_own(line):
        differs.append(fact("other_party", party=line.counterparty or line.reference))
    if evidence.is_awaited(search):
        differs.append(fact("payers_amount", amount=line.amount))
    return [candidate_of(Cost.INTEREST, facts, tuple(differs), is_certain=not differs)]


def candidate_of(
    cost: Cost, facts: tuple[Fact, ...], differs: tuple[Fact, ...] = (), *, is_certain: bool
) -> Candidate:
    return Candidate(
        kind=MatchKind.COST,
        subject_id=cost.value,
        to=ledger.costs(cost, BALANCE_OF_FIAT),
        facts=facts,
        differs=differs,
        is_certain=is_certain,
    )


def cost_named(line: StatementLine) -> Cost | None:
    text = texts.plain(line.description)
    return next((cost for cost, pattern in _TEXTS if pattern.match(text)), None)


def _is_banks_own(line: StatementLine) -> bool:
    account = line.account
    if line.document and line.document != account.document:
        return False
    if not line.counterparty:
        return True
    own = _words_of_bank(account.bank_code) | texts.words(account.holder)
    return bool(texts.words(line.counterparty) & (own - _COMMON))


def _words_of_bank(code: str) -> set[str]:
    """Of its names of today and before, without those that other companies have, too."""
    names = texts.words(f"{NAMES.get(code, '')} {FORMER_NAMES.get(code, '')}")
    return names - _OF_OTHERS


def _gmf(line: StatementLine) -> tuple[Fact, bool]:
    """The tax of the day's debits, or of one of them; at most that of a month."""
    tax = -line.amount
    debits = _other_debits(line).filter(booked_on=line.booked_on)
    amounts = [-one for one in debits.values_list("amount", flat=True)]
    total = sum(amounts, Decimal(0))
    if abs(_share(total, GMF_RATE) - tax) <= PESO + len(amounts) * Decimal("0.01"):
        return fact("gmf_of_day", base=total, day=line.booked_on), True
    for base in amounts:
        if abs(_share(base, GMF_RATE) - tax) <= Decimal("0.5"):
            return fact("gmf_of_debit", base=base), True
    recent = _other_debits(line).filter(booked_on__range=(line.booked_on - MONTH, line.booked_on))
    month = -(recent.aggregate(sum=Sum("amount"))["sum"] or Decimal(0))
    return fact("gmf_of_month", base=month), tax <= _share(month, GMF_RATE) + PESO


def _vat(line: StatementLine) -> Fact:
    tax = -line.amount
    same_day = _other_debits(line).filter(booked_on=line.booked_on)
    for base in (-one for one in same_day.values_list("amount", flat=True)):
        if abs(_share(base, VAT_RATE) - tax) <= PESO:
            return fact("vat_of", base=base)
    return fact("vat_alone")


def _other_debits(line: StatementLine) -> QuerySet[StatementLine]:
    debits = StatementLine.objects.filter(account_id=line.account_id, amount__lt=0)
    return debits.exclude(pk=line.pk)


def _share(base: Decimal, rate: Decimal) -> Decimal:
    return (base * rate).quantize(Decimal("0.01"), ROUND_HALF_UP)
