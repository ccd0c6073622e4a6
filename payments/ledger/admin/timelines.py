"""The entries about a record, as lines of its timeline."""

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Prefetch
from django.utils.translation import gettext

from payments.console import tenancy
from payments.console.formatting import admin_url, amount
from payments.console.timeline import ROWS_MAX, TimelineLine
from payments.ledger.models import Entry, Posting
from payments.ledger.services.account_names import name_accounts


def timeline_lines(subject_ids: Sequence[str]) -> Iterable[TimelineLine]:
    """Every entry with its amounts. Merchants see only the postings on their own accounts."""
    found = Entry.objects.filter(subject_id__in=subject_ids).order_by("-id")[:ROWS_MAX]
    postings = Posting.objects.select_related("account").order_by("id")
    scope = tenancy.readers_scope()
    if scope is not None:
        postings = postings.filter(account__merchant__in=sorted(scope))
    entries = found.prefetch_related(Prefetch("postings", postings))
    names = name_accounts(line.account for entry in entries for line in entry.postings.all())
    may_open = tenancy.may_open(Entry)
    for entry in reversed(entries):
        if moved := [_posting(posting, names) for posting in entry.postings.all()]:
            yield TimelineLine(
                at=entry.created_at,
                what=gettext("Booked: %s") % entry.get_kind_display(),
                who=gettext("ledger"),
                detail=" · ".join(moved),
                kind="money",
                href=admin_url(entry) if may_open else None,
            )


def _posting(posting: Posting, names: Mapping[int, str]) -> str:
    sign = "+" if posting.amount > 0 else ""
    return f"{names[posting.account_id]} {sign}{amount(posting.amount, posting.currency)}"
