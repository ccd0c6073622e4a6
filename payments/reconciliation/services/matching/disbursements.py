"""Credits that an acquirer announced: the net amount of one of its disbursements."""

from collections.abc import Sequence
from dataclasses import replace

from payments.rails.models import ProviderAccount
from payments.reconciliation.models import MatchKind
from payments.reconciliation.services.disbursements import arrivals
from payments.reconciliation.services.matching import evidence, texts
from payments.reconciliation.services.matching.values import Candidate, Fact, Search, fact


def find(search: Search) -> Sequence[Candidate]:
    line = search.line
    if line.amount < 0:
        return []
    found = [_candidate(search, one) for one in arrivals.find_disbursement(line)]
    if len([one for one in found if one.is_certain]) > 1:
        return [replace(one, is_certain=False) for one in found]
    return found


def _candidate(search: Search, arrival: arrivals.Arrival) -> Candidate:
    days = ", ".join(str(one.day) for one in arrival.disbursements)
    facts = [fact("net", amount=search.amount, account=arrival.account, days=days)]
    differs: list[Fact] = []
    window = fact("bank_days", days=arrival.business_days)
    (facts if arrival.is_in_window else differs).append(window)
    is_named = _names_acquirer(search, arrival.account)
    if is_named:
        facts.append(fact("acquirer_named", account=arrival.account))
    is_rival = not is_named and evidence.is_awaited(search)
    if is_rival:
        differs.append(fact("payers_amount", amount=search.amount))
    return Candidate(
        kind=MatchKind.DISBURSEMENT,
        subject_id=arrival.subject_id,
        to=arrival.target,
        facts=tuple(facts),
        differs=tuple(differs),
        is_certain=arrival.is_in_window and not is_rival,
        arrival=arrival,
    )


def _names_acquirer(search: Search, slug: str) -> bool:
    provider = ProviderAccount.objects.filter(pk=slug).values_list("provider", flat=True).first()
    name = (provider or slug).partition("-")[0]
    given = texts.words(f"{search.line.description} {search.line.counterparty}")
    return bool(given & texts.words(name))
