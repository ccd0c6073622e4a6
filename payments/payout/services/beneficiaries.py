"""Beneficiaries of a merchant. The only writers of their tables."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Count, Max, QuerySet, Sum
from django.utils.translation import gettext_noop as _

from merchants.models import Merchant
from payments.core import audit
from payments.core.errors import NotAllowed, ServiceError
from payments.core.text import normalised_document
from payments.payout.models import Bank, Beneficiary, BeneficiaryChange, Payout

Kind = BeneficiaryChange.Kind
RIGHT = "payout.keep_beneficiary"
# So long pages warn about a new beneficiary or a changed account.
RECENT = timedelta(days=14)
PLACE = ("network", "bank_id", "account_type", "account_number", "key_type", "key_value")
PERSON = ("name", "doc_type", "doc_number")
STATUS = Payout.Status


class AlreadyKept(ServiceError):
    """details.beneficiaryId is the one that exists."""

    code = "BENEFICIARY_EXISTS"
    message = _("You have this beneficiary with this account or key already.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """A person or company, and where its money goes: as in POST /payout, validated."""

    name: str
    doc_type: str
    doc_number: str
    network: str
    bank: Bank | None = None
    account_type: str = ""
    account_number: str = ""
    key_type: str = ""
    key_value: str = ""

    @property
    def bank_id(self) -> str | None:
        return self.bank.pk if self.bank else None

    @property
    def place(self) -> str:
        if self.bank is not None:
            return f"{self.network}:{self.bank.pk}:{self.account_number}"
        return f"{self.network}:{self.key_type}:{self.key_value}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """Of payouts to the document that arrived and stayed there. `paid` in pesos."""

    count: int
    paid: Decimal


def details_of(row: Beneficiary) -> Details:
    return Details(
        **{name: getattr(row, name) for name in PERSON},
        **{name: getattr(row, name) for name in PLACE if name != "bank_id"},
        bank=row.bank,
    )


def of_merchant(merchant_id: str) -> QuerySet[Beneficiary]:
    """Those that are not archived."""
    rows = Beneficiary.objects.filter(merchant=merchant_id, archived_at=None)
    return rows.select_related("bank").order_by("name", "id")


@transaction.atomic
def create(
    *, merchant: Merchant, details: Details, user: User, now: datetime, from_payout: str = ""
) -> Beneficiary:
    """Raises AlreadyKept."""
    row = Beneficiary(
        merchant=merchant, created_by=user.get_username(), from_payout=from_payout, created_at=now
    )
    _set(row, details)
    _save(row)
    _record(row, Kind.CREATED, user, now, after=_values(details, (*PERSON, *PLACE)))
    return row


def remember(*, merchant: Merchant, details: Details, user: User, payout: Payout) -> None:
    """After a payout: keeps its beneficiary, unless the merchant has it."""
    now = payout.created_at
    try:
        create(merchant=merchant, details=details, user=user, now=now, from_payout=payout.pk)
    except AlreadyKept:
        return


@transaction.atomic
def change(*, beneficiary: Beneficiary, details: Details, user: User, now: datetime) -> bool:
    """Whether anything differs. Raises AlreadyKept, NotAllowed."""
    row = _lock(beneficiary)
    if row.archived_at is not None:
        raise NotAllowed(_("The beneficiary is in the archive."))
    old = details_of(row)
    changed = [name for name in (*PERSON, *PLACE) if getattr(old, name) != getattr(details, name)]
    if not changed:
        return False
    place = any(name in PLACE for name in changed)
    _set(row, details)
    if place:
        row.place_changed_at, row.place_changed_by = now, user.get_username()
    _save(row)
    before, after = _values(old, changed), _values(details, changed)
    _record(row, Kind.PLACE if place else Kind.DETAILS, user, now, before=before, after=after)
    return True


@transaction.atomic
def archive(*, beneficiary: Beneficiary, user: User, now: datetime) -> None:
    """Raises NotAllowed."""
    row = _lock(beneficiary)
    if row.archived_at is not None:
        raise NotAllowed(_("The beneficiary is in the archive."))
    row.archived_at = now
    _save(row)
    _record(row, Kind.ARCHIVED, user, now)


@transaction.atomic
def restore(*, beneficiary: Beneficiary, user: User, now: datetime) -> None:
    """Raises AlreadyKept, NotAllowed."""
    row = _lock(beneficiary)
    if row.archived_at is None:
        raise NotAllowed(_("The beneficiary is not in the archive."))
    row.archived_at = None
    _save(row)
    _record(row, Kind.RESTORED, user, now)


def payouts_to(beneficiary: Beneficiary) -> QuerySet[Payout]:
    """Of the merchant to the same document, to any account, newest first."""
    rows = Payout.objects.filter(
        merchant=beneficiary.merchant_id, recipient_document=beneficiary.document
    )
    return rows.select_related("bank").order_by("-created_at", "-id")


def sums(beneficiary: Beneficiary) -> Sums:
    rows = payouts_to(beneficiary).filter(status=STATUS.COMPLETED)
    found = rows.order_by().aggregate(count=Count("pk"), paid=Sum("amount", default=Decimal(0)))
    return Sums(**found)


def last_payouts(rows: Iterable[Beneficiary]) -> dict[tuple[str, str], datetime]:
    """When the last payout to each arrived, by merchant and document. One query."""
    known = list(rows)
    if not known:
        return {}
    found = Payout.objects.filter(
        merchant__in={row.merchant_id for row in known},
        recipient_document__in={row.document for row in known},
        status=STATUS.COMPLETED,
    )
    newest = found.order_by().values_list("merchant", "recipient_document")
    return {(whose, to): at for whose, to, at in newest.annotate(Max("completed_at"))}


def _lock(beneficiary: Beneficiary) -> Beneficiary:
    rows = Beneficiary.objects.select_for_update(of=("self",)).select_related("bank", "merchant")
    return rows.get(pk=beneficiary.pk)


def _set(row: Beneficiary, details: Details) -> None:
    for name in (*PERSON, *PLACE):
        setattr(row, name, getattr(details, name))
    row.bank = details.bank
    row.document = normalised_document(details.doc_number)
    row.place = details.place


def _save(row: Beneficiary) -> None:
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as error:
        known = Beneficiary.objects.filter(
            merchant=row.merchant_id, document=row.document, place=row.place, archived_at=None
        ).first()
        if known is None:
            raise
        raise AlreadyKept(details={"beneficiaryId": known.pk}) from error


def _values(details: Details, names: tuple[str, ...] | list[str]) -> dict[str, object]:
    return {name: value for name in names if (value := getattr(details, name))}


def _record(
    row: Beneficiary,
    kind: str,
    user: User,
    now: datetime,
    *,
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
) -> None:
    person = user.get_username()
    BeneficiaryChange.objects.create(
        beneficiary=row,
        kind=kind,
        person=person,
        before=dict(before or {}),
        after=dict(after or {}),
        at=now,
    )
    # The audit log has no numbers of accounts: the history of the beneficiary has them.
    fields = sorted({*(before or {}), *(after or {})})
    audit.record(actor=person, action=f"beneficiary.{kind.lower()}", subject=row, changed=fields)
