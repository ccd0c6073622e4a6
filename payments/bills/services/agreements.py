"""The search for agreements, and the look-up of one agreement for a check or a payment."""

from django.conf import settings
from django.db.models import QuerySet

from payments.bills.models import Agreement
from payments.bills.search_text import search_words
from payments.bills.services.engine import PROVIDERS
from payments.core.errors import ValidationFailed


def search(*, query: str, page: int) -> tuple[list[Agreement], int]:
    """One page of the agreements that contain every word of `query`, by name, and how many match.

    Case and accents do not matter. Only agreements that the rail reaches. A page past the end is
    empty.
    """
    found = _payable()
    for word in search_words(query):
        found = found.filter(searchable__contains=word)
    start = (page - 1) * settings.BILLS_PAGE_SIZE
    rows = found.order_by("searchable", "id")[start : start + settings.BILLS_PAGE_SIZE]
    return list(rows), found.count()


def find_agreement(agreement_id: int) -> Agreement:
    """Raises ValidationFailed when the agreement cannot be paid."""
    agreement = _payable().filter(pk=agreement_id).first()
    if agreement is None:
        raise ValidationFailed({"agreementId": "Is not an agreement of GET /bills/agreements."})
    return agreement


def code_of(agreement: Agreement) -> str:
    """The configured rail's code for the agreement."""
    return str(agreement.codes[PROVIDERS.configured_code])


def _payable() -> QuerySet[Agreement]:
    # No index on the rail's code, because nearly every row has one.
    return Agreement.objects.filter(is_enabled=True, codes__has_key=PROVIDERS.configured_code)
