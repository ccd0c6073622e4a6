"""A merchant's movements: the postings on its own accounts, with the balance after each."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Q, QuerySet

from payments.api.tallied_pages import find_segments, locate, narrow
from payments.core.errors import ValidationFailed
from payments.core.ids import ALPHABET, is_id
from payments.core.products import products
from payments.ledger.models import Account, Entry, Posting, PostingTally, entry_kinds

# Kinds between rails, banks and us. All other kinds may move a merchant's money.
_OURS = {
    Entry.Kind.DEPOSIT_RECEIVED,
    Entry.Kind.UNMATCHED_RECEIVED,
    Entry.Kind.UNMATCHED_APPLIED,
    Entry.Kind.UNMATCHED_RETURNED,
    Entry.Kind.SETTLEMENT_TAXED,
    Entry.Kind.STATEMENT_OPENED,
    Entry.Kind.STATEMENT_IMPORTED,
    Entry.Kind.BANK_LINE_CLEARED,
    Entry.Kind.BANK_LINE_REOPENED,
    Entry.Kind.DISBURSEMENT_DECLARED,
    # The service bears the loss of a lost outgoing payment. A lost dispute moves a merchant's
    # balance.
    *(product.entry_kind("lost") for product in products()),
}
KINDS = [kind for kind, _label in entry_kinds() if kind not in _OURS]
CURRENCIES = ("COPM", "USDT", "USDC", "BTC", "ETH")
ACCOUNTS = [kind.value for kind in Account.OF_MERCHANTS]
_PREFIX = "mov_"


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementFilters:
    """None does not narrow. `created_to` is excluded.

    `before` is the id of a movement. The page begins with the previous movement in time.
    """

    currency: str | None = None
    account: str | None = None
    kind: str | None = None
    created_from: datetime | None = None
    created_to: datetime | None = None
    before: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """One posting on a merchant's account. An `amount` below zero left the account.

    `subject_id` is the cause: an order or a payout; for play money the merchant.
    """

    id: str
    kind: str
    subject_id: str
    currency: str
    account: str
    amount: Decimal
    balance_after: Decimal
    created_at: datetime

    @property
    def entry_id(self) -> str:
        return "ent_" + self.id[len(_PREFIX) : -1]


def list_movements(
    *, merchant_id: str, limit: int, offset: int, filters: MovementFilters
) -> tuple[list[Movement], int]:
    """One page of the merchant's movements, newest first, and how many match in all.

    Raises ValidationFailed when `before` is no movement of the merchant.
    """
    accounts = _accounts(merchant_id, filters)
    tallies = narrow(PostingTally.objects.filter(account__in=accounts), kind=filters.kind)
    matching = _matching(list(accounts), filters)
    segments = find_segments(tallies, "postings", matching, filters)
    total = sum(segment.rows for segment in segments)
    if filters.before is not None:
        older = _older_than(_posting_of(merchant_id, filters.before))
    elif (place := locate(segments, offset)) is not None:
        older, offset = Q(created_at__lt=place[0]), place[1]
    else:
        return [], total
    ids = _page(list(accounts), filters, older, limit, offset)
    return read_movements(ids, accounts), total


def _accounts(merchant_id: str, filters: MovementFilters) -> dict[int, str]:
    """{id: available | held}"""
    rows = Account.objects.filter(merchant=merchant_id)
    rows = narrow(rows, currency=filters.currency, kind=filters.account)
    return dict(rows.values_list("pk", "kind"))


def _page(
    accounts: list[int], filters: MovementFilters, older: Q, limit: int, offset: int
) -> list[int]:
    """The ids of one page. Reads the newest of each account from the index, and merges them."""
    if not accounts:
        return []
    streams = [
        _matching([account], filters)
        .filter(older)
        .order_by("-created_at", "-id")
        .values_list("created_at", "id")[: offset + limit]
        for account in accounts
    ]
    merged = streams[0].union(*streams[1:], all=True) if len(streams) > 1 else streams[0]
    ordered = merged.order_by("-created_at", "-id") if len(streams) > 1 else merged
    return [pk for _, pk in ordered[offset : offset + limit]]


def _matching(accounts: list[int], filters: MovementFilters) -> QuerySet[Posting]:
    # True for all merchants' accounts. The indexes have this condition.
    indexed = Posting.objects.filter(account__in=accounts, balance_after__isnull=False)
    return narrow(
        indexed,
        kind=filters.kind,
        created_at__gte=filters.created_from,
        created_at__lt=filters.created_to,
    )


def read_movements(ids: list[int], accounts: dict[int, str]) -> list[Movement]:
    """The movements of these postings, in this order. `accounts` is {id: available | held}."""
    # Values, not models: a statement may have tens of thousands.
    fields = ("entry_id", "entry__subject_id", "kind", "currency", "account_id")
    values = Posting.objects.filter(pk__in=ids).values_list(
        "pk", *fields, "amount", "balance_after", "created_at"
    )
    rows = {row[0]: row[1:] for row in values}
    numbers = _line_numbers({row[0] for row in rows.values()})
    found = []
    for pk in ids:
        entry_id, subject_id, kind, currency, account_id, amount, after, created_at = rows[pk]
        movement = Movement(
            id=_PREFIX + entry_id.removeprefix("ent_") + ALPHABET[numbers[pk]],
            kind=kind,
            subject_id=subject_id,
            currency=currency,
            account=accounts[account_id],
            amount=amount,
            balance_after=after or Decimal(0),  # a CHECK on merchants' accounts makes it not null
            created_at=created_at,
        )
        found.append(movement)
    return found


def _line_numbers(entries: set[str]) -> dict[int, int]:
    """{posting: its place in the entry}, which is the last letter of the public id."""
    places: dict[str, int] = {}
    numbers = {}
    lines = Posting.objects.filter(entry__in=entries).order_by("id").values_list("pk", "entry_id")
    for pk, entry_id in lines:
        numbers[pk] = places[entry_id] = places.get(entry_id, -1) + 1
    return numbers


def _posting_of(merchant_id: str, movement_id: str) -> Posting:
    """The posting behind a public id. Raises ValidationFailed, the same for every reason."""
    head, last = movement_id[:-1], movement_id[-1:]
    if is_id(head, "mov") and last in ALPHABET:
        entry_id, place = "ent_" + head.removeprefix(_PREFIX), ALPHABET.index(last)
        lines = Posting.objects.filter(entry=entry_id).select_related("account").order_by("id")
        for posting in lines[place : place + 1]:
            if posting.account.merchant_id == merchant_id:
                return posting
    raise ValidationFailed({"before": "Is not the id of a movement."})


def _older_than(posting: Posting) -> Q:
    at = posting.created_at
    return Q(created_at__lte=at) & ~Q(created_at=at, pk__gte=posting.pk)
