"""What a payout by hand will do, shown before it is asked for. Moves nothing."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal

from django.conf import settings
from django.contrib.auth.models import User
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from merchants.models import Merchant
from payments.core import audit, masking
from payments.core.errors import ServiceError
from payments.core.models import AuditEntry
from payments.ledger import services as ledger
from payments.payout.models import Network, Payout
from payments.payout.services import payouts, repeats, team_approvals
from payments.payout.services.payouts import NewPayout
from payments.payout.services.team_approvals import Need
from payments.rails import holder_names
from payments.rails.models import KeyCheck
from payments.rails.services import key_checks
from payments.rails.services.key_checks import KeyPayment

Result = KeyCheck.Result
LOOKED_UP = "key.looked_up"
HOUR = timedelta(hours=1)


class TooManyLookups(ServiceError):
    status = 429
    code = "RATE_LIMIT_EXCEEDED"
    message = _("You have looked up very many keys. Wait an hour.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A payout by hand, as it would be made."""

    merchant: Merchant
    wanted: NewPayout


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """`payout` is not saved. `holder` is masked; empty if no rail can tell.

    balance_after  of the currency that pays, and `available` before. Below zero: not enough.
    repeated       the last payout of the same amount to the same place.
    """

    payout: Payout
    available: Decimal
    need: Need
    holder: str = ""
    warnings: list[str] = field(default_factory=list)
    repeated: Payout | None = None

    @property
    def balance_after(self) -> Decimal:
        return self.available - self.payout.debit

    @property
    def is_possible(self) -> bool:
        return self.balance_after >= 0


def run(*, plan: Plan, user: User, now: datetime) -> DryRun:
    """Calls the rail for the holder of a key, so never call it inside a transaction.

    Raises what create_payout raises for the request, and TooManyLookups.
    """
    merchant, name = plan.merchant, user.get_username()
    payout = payouts.price(merchant=merchant, wanted=plan.wanted, now=now)
    check = _look_up(payout, user, now)
    balances = ledger.balances(merchant.pk).get(payout.currency, {})
    return DryRun(
        payout=payout,
        available=balances.get("available", Decimal(0)),
        need=team_approvals.needed(merchant=merchant, amount=payout.amount, requested_by=name),
        holder=shown_holder(check),
        warnings=holder_warnings(check, payout.recipient_name),
        repeated=repeats.newest(merchant.pk, payout, since=now - repeats.PERIOD),
    )


def shown_holder(check: KeyCheck | None) -> str:
    """For people of merchants, who compare it with the name that they have. Masked by us if the
    rail did not mask it (Law 1581 of 2012).
    """
    if check is None or check.result != Result.FOUND:
        return ""
    return " · ".join(filter(None, [masked(check.holder_name), check.bank_name]))


def masked(name: str) -> str:
    return name if holder_names.STAR in name else masking.full_name(name)


def holder_warnings(check: KeyCheck | None, name: str) -> list[str]:
    if check is None or check.result == Result.UNRESOLVED:
        return []
    if check.result != Result.FOUND:
        return [gettext("The rail says that this key takes no money. The payout would fail.")]
    if holder_names.may_be(name, check.holder_name):
        return []
    return [gettext("The key is in another name: compare the holder with the beneficiary.")]


def _look_up(payout: Payout, user: User, now: datetime) -> KeyCheck | None:
    """The audit log keeps who asked for whose key. It also limits how many one person asks for."""
    if payout.network != Network.BREB:
        return None
    payment = KeyPayment(
        subject_id="",
        account=payout.provider,
        key_type=payout.key_type,
        key_value=payout.key_value,
    )
    asked = AuditEntry.objects.filter(
        subject_id=str(user.pk), subject_type="user", action=LOOKED_UP, at__gte=now - HOUR
    )
    if asked.count() >= settings.KEY_LOOKUPS_PER_HOUR:
        raise TooManyLookups
    check = key_checks.look_up(payment=payment, now=now)
    if check is not None:
        audit.record(
            actor=user.get_username(),
            action=LOOKED_UP,
            subject=user,
            key=f"{payout.key_type} {masking.contact(payout.key_value)}",
            account=payout.provider,
            result=check.result,
        )
    return check
