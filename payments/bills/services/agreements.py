"""Agreements: the search of merchants, and one for a check or a payment."""

from django.conf import settings
from django.db.models import QuerySet

from payments.bills.models import Agreement
from payments.bills.search_text import search_words
from payments.core.errors import ValidationFailed


def search(*, query: str, page: int) -> tuple[list[Agreement], int]:
    """One page of the agreements that hold every word of `query`, by name, and how many do.

    Case and accents do not count. A page past the end is empty. Only what the rail reaches.
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
    """The configured rail's own code of the agreement."""
    return str(agreement.codes[settings.BILLS_PROVIDER])


def _payable() -> QuerySet[Agreement]:
    # The rail's code has no index: nearly every row has one.
    return Agreement.objects.filter(is_enabled=True, codes__has_key=settings.BILLS_PROVIDER)
