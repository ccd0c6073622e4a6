"""What the books say about a record, as lines of its timeline."""

from collections.abc import Iterable, Sequence

from django.db.models import Prefetch
from django.utils.translation import gettext

from payments.core.console import amount, walls
from payments.core.console.show import admin_url
from payments.core.console.timeline import ROWS_MAX, Line
from payments.ledger.models import Account, Entry, Posting


def lines(subject_ids: Sequence[str]) -> Iterable[Line]:
    """Every entry with its amounts. People of merchants see what moved on their own accounts."""
    found = Entry.objects.filter(subject_id__in=subject_ids).order_by("-id")[:ROWS_MAX]
    postings = Posting.objects.select_related("account").order_by("id")
    scope = walls.readers_scope()
    if scope is not None:
        postings = postings.filter(account__merchant__in=sorted(scope))
    entries = found.prefetch_related(Prefetch("postings", postings))
    may_open = walls.may_open(Entry)
    for entry in reversed(entries):
        if moved := [_posting(posting) for posting in entry.postings.all()]:
            yield Line(
                at=entry.created_at,
                what=gettext("Booked: %s") % entry.get_kind_display(),
                who=gettext("ledger"),
                detail=" · ".join(moved),
                kind="money",
                href=admin_url(entry) if may_open else None,
            )


def _posting(posting: Posting) -> str:
    sign = "+" if posting.amount > 0 else ""
    return f"{_name(posting.account)} {sign}{amount(posting.amount, posting.currency)}"


def _name(account: Account) -> str:
    if account.kind == Account.Kind.CLEARING:
        _, rail, _ = account.code.split(":")
        return gettext("clearing with %s") % rail
    return account.get_kind_display()
