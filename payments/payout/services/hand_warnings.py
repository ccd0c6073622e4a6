"""What a person should look at before a payout by hand is asked for, or approved."""

from datetime import datetime

from django.utils.translation import gettext
from stdnum.co import nit

from payments.core.days import day_of
from payments.payout.models import Beneficiary, Payout
from payments.payout.services import repeats
from payments.payout.services.beneficiaries import RECENT

GONE = (Payout.Status.FAILED, Payout.Status.REFUNDED)


def of_payout(payout: Payout, *, merchant_id: str, now: datetime) -> list[str]:
    """`payout` may not be saved yet. Later payouts do not count."""
    found = [*_of_history(payout, merchant_id), *_of_change(payout, merchant_id, now)]
    if payout.recipient_doc_type == "NIT" and not nit.is_valid(payout.recipient_document):
        found.append(gettext("The NIT is mistyped: its last digit does not fit the others."))
    return found


def _of_history(payout: Payout, merchant_id: str) -> list[str]:
    earlier = Payout.objects.filter(
        merchant=merchant_id, recipient_document=payout.recipient_document
    )
    earlier = earlier.exclude(status__in=GONE).exclude(pk=payout.pk)
    if payout.created_at:
        earlier = earlier.filter(created_at__lt=payout.created_at)
    if not earlier.exists():
        return [gettext("New beneficiary: this is the first payout to this document.")]
    there = repeats.to_same_place(merchant_id, payout).filter(
        recipient_document=payout.recipient_document, pk__in=earlier.values("pk")
    )
    if there.exists():
        return []
    return [
        gettext(
            "Other account: earlier payouts to this beneficiary went somewhere else. Confirm the "
            "account by a call to a number that you know."
        )
    ]


def _of_change(payout: Payout, merchant_id: str, now: datetime) -> list[str]:
    rows = Beneficiary.objects.filter(
        merchant=merchant_id,
        document=payout.recipient_document,
        archived_at=None,
        place_changed_at__gte=now - RECENT,
    )
    return [
        gettext("%(person)s changed the account of this beneficiary on %(day)s.")
        % {"person": row.place_changed_by, "day": f"{day_of(row.place_changed_at):%Y-%m-%d}"}
        for row in rows
        if row.place_changed_at
    ]
