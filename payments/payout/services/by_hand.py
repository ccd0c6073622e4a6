"""Payouts that a person of the merchant makes in the console, by the service of POST /payout."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.contrib.auth.models import User
from django.db import connection
from django.utils.translation import gettext_noop as _

from merchants.models import Merchant
from payments.core import audit
from payments.core.errors import NotAllowed, ServiceError
from payments.outgoing.creation import PaymentRequest
from payments.payout.models import Payout
from payments.payout.services import payouts, repeats, team_approvals
from payments.payout.services.payouts import NewPayout
from payments.payout.services.team_approvals import Asked

RIGHT = "payout.prepare_payout"
# The idempotency keys of the console, among those of the merchant's API requests.
KEY_PREFIX = "hand-"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPayout:
    """What the person confirmed on the page of the dry run.

    token    of that page, so that a double click is one payout.
    fee      as the page showed it.
    repeats  the id of the payout that this one repeats on purpose. Empty: none.
    """

    merchant: Merchant
    token: str
    wanted: NewPayout
    fee: Decimal
    repeats: str = ""
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """A requester, by the user name."""

    pk: str


class PriceChanged(ServiceError):
    code = "PRICE_CHANGED"
    message = _("The fee has changed since you saw it. Look at the new figures, and send again.")


class BeneficiaryChanged(ServiceError):
    code = "BENEFICIARY_CHANGED"
    message = _(
        "The beneficiary or the amount is not the one that you saw. Look at the payout again, and "
        "then send it."
    )


class RepeatsPayout(ServiceError):
    """details.payoutId is the payout that was made before."""

    code = "REPEATS_PAYOUT"
    message = _(
        "The same beneficiary gets the same amount in another payout already. Look at it, and say "
        "below if you want to pay again."
    )


def ask(*, new: HandPayout, user: User, now: datetime) -> tuple[Payout, bool]:
    """Creates it once for each token. Returns it and whether it existed.

    It waits for the team by the merchant's rules. Raises NotAllowed, PriceChanged, RepeatsPayout,
    and what create_payout raises.
    """
    if not new.merchant.is_active or not new.merchant.payout_enabled:
        raise NotAllowed(_("The account may not make payouts now."))
    name = user.get_username()
    request = PaymentRequest(
        merchant=new.merchant,
        requester=Person(name),
        idempotency_key=f"{KEY_PREFIX}{new.token}",
        wanted=new.wanted,
    )

    def check(payout: Payout) -> None:
        if payout.fee_amount != new.fee:
            raise PriceChanged
        _check_repeated(payout, new, now)
        payout.reference = new.reference
        hold_back(payout, new.merchant, name, now)
        audit.record(actor=name, action="payout.made_by_hand", subject=payout)

    return payouts.create_payout(request, now=now, check=check)


def _check_repeated(payout: Payout, new: HandPayout, now: datetime) -> None:
    """One at a time for each beneficiary, so that two pages cannot both be the first."""
    digest = repeats.digest(new.merchant.pk, payout)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [digest])
    last = repeats.newest(new.merchant.pk, payout, since=now - repeats.PERIOD)
    if last is not None and last.pk != new.repeats:
        raise RepeatsPayout(details={"payoutId": last.pk})


def hold_back(payout: Payout, merchant: Merchant, name: str, now: datetime) -> None:
    need = team_approvals.needed(merchant=merchant, amount=payout.amount, requested_by=name)
    asked = Asked(subject_id=payout.pk, merchant=merchant, amount=payout.amount, requested_by=name)
    team_approvals.begin(asked=asked, need=need, now=now)
    payout.needs_team_approval = need.people > 0
    payout.needs_approval = need.operator
    payout.next_action_at = None if payout.is_held_back else now
