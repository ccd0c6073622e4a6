"""How much the accounts that pay have left: read from their rails, kept, and compared.

A payout over an empty account waits. So operators learn that it runs low before that: by the log,
/metrics, an alert and the work queue of the console.
"""

from datetime import datetime
from decimal import Decimal

import structlog
from django.conf import settings
from django.db import models, transaction
from django.db.models import Sum
from django.utils.module_loading import import_string

from payments.core import audit
from payments.core.products import products
from payments.providers import registry
from payments.providers.ports import MAX_AMOUNT, ProviderError, ProviderTimeout, ReportsBalance
from payments.rails.models import AccountBalance, ProviderAccount
from payments.rails.services.accounts import lock

log = structlog.get_logger(__name__)
OPEN = ("PENDING", "PROCESSING")


def read_balances(*, now: datetime) -> int:
    """Of all accounts that are on. Returns how many rails answered. Calls rails."""
    slugs = ProviderAccount.objects.filter(status=ProviderAccount.Status.ON).order_by("slug")
    found = [(slug, _adapter(slug)) for slug in slugs.values_list("slug", flat=True)]
    read = [_read(slug, adapter, now) for slug, adapter in found if adapter is not None]
    return sum(read)


@transaction.atomic
def set_alarm(
    *, slug: str, alarm_below: Decimal | None, actor: str, reason: str, now: datetime
) -> ProviderAccount:
    """None: settings.RAIL_BALANCE_RESERVE."""
    account = lock(slug)
    account.alarm_below = alarm_below
    account.full_clean()
    account.save(update_fields=["alarm_below", "updated_at"])
    audit.record(
        actor=actor,
        action="rail_account.alarm_set",
        subject=account,
        reason=reason,
        alarm_below=str(alarm_below or ""),
    )
    known = AccountBalance.objects.select_for_update().filter(pk=slug).first()
    if known is not None:
        _save(known)
    return account


def reserve_of(account: ProviderAccount) -> Decimal:
    """What has to be left in the account when everything that waits is sent."""
    own = account.alarm_below
    return Decimal(settings.RAIL_BALANCE_RESERVE) if own is None else own


def has_balance(slug: str) -> bool:
    """Whether the rail of the account tells one."""
    return _adapter(slug) is not None


def _read(slug: str, adapter: ReportsBalance, now: datetime) -> bool:
    amount = None
    try:
        amount = _plausible(adapter.balance())
    except ProviderError as error:
        log.warning("rails.balance_unread", account=slug, error=type(error).__name__)
    except Exception:  # a defect of one adapter does not stop the others
        log.exception("rails.balance_broke", account=slug)
    _record(slug, amount, now)
    return amount is not None


def _plausible(amount: Decimal) -> Decimal:
    if not abs(amount) <= MAX_AMOUNT:
        raise ProviderTimeout("no account has this balance")
    return amount


@transaction.atomic
def _record(slug: str, amount: Decimal | None, now: datetime) -> None:
    """None: the rail did not answer, and the last balance stays with its time."""
    AccountBalance.objects.get_or_create(pk=slug, defaults={"needed": 0, "created_at": now})
    known = AccountBalance.objects.select_for_update().get(pk=slug)
    if amount is not None:
        known.amount, known.read_at = amount, now
    _save(known)


def _save(known: AccountBalance) -> None:
    """Compares, and saves. The row is locked."""
    was_low = known.is_low
    known.needed = reserve_of(known.account) + _waiting(known.pk)
    known.is_low = known.amount is not None and known.amount < known.needed
    known.save()
    if known.is_low != was_low:
        event = "rails.balance_low" if known.is_low else "rails.balance_enough"
        write = log.error if known.is_low else log.info
        write(event, account=known.pk, amount=str(known.amount), needed=str(known.needed))


def _waiting(slug: str) -> Decimal:
    """The payments that the rail has not accepted yet, but those that wait for an approval."""
    models_ = [import_string(product.engine).product.model for product in products()]
    return sum((_waiting_of(model, slug) for model in models_), Decimal(0))


def _waiting_of(model: type[models.Model], slug: str) -> Decimal:
    rows = model._default_manager.filter(
        next_action_at__isnull=False, provider=slug, provider_id="", status__in=OPEN
    )
    total: Decimal = rows.aggregate(total=Sum("amount", default=Decimal(0)))["total"]
    return total


def _adapter(slug: str) -> ReportsBalance | None:
    rail = registry.find_rail(slug)
    found = rail.outgoing.get("payout") if rail else None
    return found if isinstance(found, ReportsBalance) else None
