"""The banks that a rail reaches, with its own codes, in the catalogue of banks."""

from collections import Counter
from dataclasses import dataclass

from django.db import transaction

from payments.core import audit
from payments.payout.models import Bank
from payments.payout.services.catalogue import slug_of
from payments.payout.services.payout_accounts import PROVIDERS
from payments.providers import ports

# The key of ACH Colombia's codes beside those of rails. Two rails' banks with the same ACH code are
# the same bank.
ACH = "ach"
SIMULATOR = "simulator"  # the simulator uses the codes of ACH


@dataclass(frozen=True, slots=True)
class Loaded:
    """How many banks the rail reaches, and the ACH codes that it lists twice: none was taken."""

    banks: int
    ambiguous: tuple[str, ...]


def load_codes(*, account: str, actor: str) -> Loaded:
    """Adds the rail's code to each bank, and adds missing banks.

    A bank that the rail no longer lists, or lists twice, loses its code: a payout must not depend
    on the order of a list. Calls the rail. Raises UnknownProvider and ProviderError.
    """
    listed = PROVIDERS.get(account).payout_banks()
    times = Counter(one.ach_code for one in listed)
    reached = tuple(one for one in listed if times[one.ach_code] == 1)
    ambiguous = tuple(sorted(code for code, count in times.items() if count > 1))
    return Loaded(banks=_save(account, reached, actor), ambiguous=ambiguous)


@transaction.atomic
def _save(account: str, reached: tuple[ports.PayoutBank, ...], actor: str) -> int:
    known = list(Bank.objects.select_for_update().order_by("slug"))
    by_ach = {bank.codes.get(ACH) or bank.codes.get(SIMULATOR): bank for bank in known}
    slugs = {bank.slug for bank in known}
    kept = set()
    for one in reached:
        slug = slug_of(one.name)
        if (bank := by_ach.get(one.ach_code)) is None:
            slug = slug if slug not in slugs else f"{slug}-{one.ach_code}"
            bank = by_ach[one.ach_code] = Bank(slug=slug, name=one.name[:100], codes={})
            slugs.add(slug)
        bank.codes |= {ACH: one.ach_code, account: one.code}
        bank.save()
        kept.add(bank.slug)
    for bank in known:
        if bank.slug not in kept and bank.codes.pop(account, None) is not None:
            bank.save(update_fields=["codes"])
    if known or kept:
        subject = Bank(slug=account)
        audit.record(actor=actor, action="bank.codes_loaded", subject=subject, banks=len(kept))
    return len(kept)
