"""Lines of payment files, by the code that the bank shows: debits, and credits that give back."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from payments.core.days import start_of
from payments.core.money import BALANCE_OF_FIAT
from payments.ledger import services as ledger
from payments.payment_files.models import BatchLine, LineFinding
from payments.payment_files.services import bank_debits
from payments.reconciliation.models import MatchKind, StatementLine
from payments.reconciliation.services.matching import payers
from payments.reconciliation.services.matching.values import Candidate, Fact, Search, fact

# Without a code, only payments of these days are shown.
RECENT = timedelta(days=30)
SHOWN = 12
_NUMBER = re.compile(r"(?<!\d)\d{9,48}(?!\d)")


def find(search: Search) -> Sequence[Candidate]:
    """A line of a file that does not allow the movement calls an operator when it is booked."""
    if not search.payouts:
        return []
    lines = _named(search)
    found = [_candidate(search, one) for one in lines]
    return found if len(found) == 1 else [replace(one, is_certain=False) for one in found]


def find_unnamed(search: Search) -> Sequence[Candidate]:
    """Lines of this amount, where the bank shows no code. A person decides, always."""
    line = search.line
    wanted = BatchLine.objects.filter(account__in=search.payouts, amount=abs(line.amount))
    if line.amount < 0:
        since = start_of(line.booked_on - RECENT)
        wanted = wanted.filter(debit_source="", handed_over_at__gte=since)
    else:
        days = (line.booked_on - RECENT, line.booked_on)
        wanted = wanted.filter(return_source="", debited_on__range=days).exclude(debit_source="")
    found = [_unnamed(search, one) for one in wanted.order_by("-id")[:SHOWN]]
    return sorted(found, key=lambda one: -one.weight)


def _unnamed(search: Search, paid: BatchLine) -> Candidate:
    line = search.line
    facts = [fact("amount", amount=paid.amount)]
    differs: list[Fact] = [fact("no_code", code=paid.code)]
    if line.amount > 0:
        facts.append(fact("gives_back"))
    beneficiary = payers.Party(name=paid.recipient_name, document=paid.document)
    agreeing, differing = payers.compare_party(line, beneficiary)
    return _payment(paid, (*facts, *agreeing), (*differs, *differing), is_certain=False)


def candidate_by_code(search: Search, code: str) -> Candidate | None:
    """For a person who knows the code."""
    paid = bank_debits.find_line(search.payouts, code)
    return _candidate(search, paid) if paid is not None else None


def apply(line: StatementLine, paid: BatchLine, now: datetime) -> LineFinding | None:
    """Returns what an operator has to look into; then nothing was applied."""
    apply_movement = bank_debits.apply_debit if line.amount < 0 else bank_debits.apply_return
    return apply_movement(
        line=paid,
        amount=abs(line.amount),
        booked_on=line.booked_on,
        source=source_of(line),
        now=now,
    )


def withdraw(
    line: StatementLine, batch_line_id: str, *, actor: str, reason: str, now: datetime
) -> None:
    bank_debits.withdraw_movement(
        line=BatchLine.objects.get(pk=batch_line_id),
        source=source_of(line),
        actor=actor,
        reason=reason,
        now=now,
    )


def source_of(line: StatementLine) -> str:
    return f"{line.file_id}:{line.file_line}"


def _named(search: Search) -> list[BatchLine]:
    for text in (search.line.reference, search.line.description):
        found: dict[str, BatchLine] = {}
        for number in _NUMBER.findall(text):
            if (line := bank_debits.find_line(search.payouts, number)) is not None:
                found[line.pk] = line
        if found:
            return list(found.values())
    return []


def _candidate(search: Search, paid: BatchLine) -> Candidate:
    line = search.line
    facts = [fact("code", code=paid.code, payment=paid.pk)]
    differs: list[Fact] = []
    if abs(line.amount) == paid.amount:
        facts.append(fact("amount", amount=paid.amount))
    else:
        differs.append(fact("amount_differs", amount=abs(line.amount), wanted=paid.amount))
    if line.amount > 0:
        facts.append(fact("gives_back"))
    return _payment(paid, tuple(facts), tuple(differs), is_certain=True)


def _payment(
    paid: BatchLine, facts: tuple[Fact, ...], differs: tuple[Fact, ...], *, is_certain: bool
) -> Candidate:
    return Candidate(
        kind=MatchKind.PAYOUT_LINE,
        subject_id=paid.pk,
        to=ledger.clearing(paid.account, BALANCE_OF_FIAT),
        facts=facts,
        differs=differs,
        is_certain=is_certain,
        batch_line=paid,
    )


def account_of(batch_line_id: str) -> str:
    return BatchLine.objects.values_list("account", flat=True).get(pk=batch_line_id)
