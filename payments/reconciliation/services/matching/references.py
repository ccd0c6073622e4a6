"""Credits by the reference that the payer typed."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from payments.core.days import day_of
from payments.core.money import BALANCE_OF_FIAT
from payments.ledger import services as ledger
from payments.reconciliation.models import AwaitedTransfer, MatchKind, StatementLine
from payments.reconciliation.references import find_references
from payments.reconciliation.services.matching import payers
from payments.reconciliation.services.matching.values import Candidate, Fact, Search, fact

FIELD, DESCRIPTION = "reference", "description"
# In a text among other numbers, only references of this time are looked for.
RECENT = timedelta(days=180)


def find(search: Search) -> Sequence[Candidate]:
    where, found = find_named(search)
    candidates = [_candidate(search, each, where) for each in found]
    if len(candidates) == 1:
        return candidates
    return [_uncertain(one) for one in candidates]


def find_named(search: Search) -> tuple[str, list[AwaitedTransfer]]:
    """The transfers whose references the line has. The field counts before the description."""
    line = search.line
    if line.amount < 0 or not search.payins:
        return FIELD, []
    if found := _known(search, line.reference):
        return FIELD, found
    earliest = search.now - RECENT
    named = _known(search, line.description)
    return DESCRIPTION, [one for one in named if one.created_at >= earliest]


def _known(search: Search, text: str) -> list[AwaitedTransfer]:
    if not (references := find_references(text)):
        return []
    known = AwaitedTransfer.objects.filter(account__in=search.payins, reference__in=references)
    return list(known.order_by("id"))


def _candidate(search: Search, transfer: AwaitedTransfer, where: str) -> Candidate:
    line = search.line
    facts = [fact("reference", reference=transfer.reference, where=where)]
    differs: list[Fact] = []
    amounts = payers.amount_facts(line, transfer)
    (facts if amounts["fact"] == "amount" else differs).append(amounts)
    is_early = line.booked_on < day_of(transfer.created_at)
    if is_early:
        differs.append(fact("early", day=line.booked_on))
    payer = payers.read([transfer]).get(transfer.pk)
    agreeing, differing = payers.compare(line, payer)
    # In a description the reference alone is not enough against all other facts.
    is_doubtful = where == DESCRIPTION and _contradicts(differs, differing)
    return Candidate(
        kind=MatchKind.CHARGE,
        subject_id=transfer.charge_id or transfer.reference,
        to=ledger.clearing(transfer.account, BALANCE_OF_FIAT),
        facts=(*facts, *agreeing),
        differs=(*differs, *differing),
        is_certain=not (is_early or is_doubtful),
        transfer=transfer,
    )


def _contradicts(amounts: Sequence[Fact], of_payer: Sequence[Fact]) -> bool:
    return bool(amounts) and any(one["fact"] == "document_differs" for one in of_payer)


def _uncertain(candidate: Candidate) -> Candidate:
    differs = (*candidate.differs, fact("several_references"))
    return replace(candidate, differs=differs, is_certain=False)


def names_another(line: StatementLine, search: Search) -> bool:
    """Whether the line has a known reference: then it is not free for others."""
    return bool(find_named(replace(search, line=line))[1])
