"""Finds what needs people of merchants, and mails them about each thing once.

The unique keys of mails make it safe to look again and again, and in two workers at once.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Count, Min, Q

from merchants.models import Merchant
from payments.alerts import batches
from payments.alerts.recipients import addresses, alert
from payments.collect.models import Dispute
from payments.console.formatting import admin_url
from payments.core import days
from payments.payout.models import Payout, TeamApproval
from payments.payout.services import team
from payments.payout_batches.models import PayoutBatch
from payments.withdrawals.models import BankAccount
from webhooks.models import Delivery

log = structlog.get_logger(__name__)
# A receiver fails when the oldest delivery of these hours still waits after a failed attempt.
FAILING = timedelta(hours=3)
DISPUTE_NOTICE = timedelta(days=3)
# Older requests were mailed about, or were made before there were alerts.
RECENT = timedelta(days=2)
MOST = 500


def scan(*, now: datetime) -> None:
    """An error in one kind of alert does not stop the others."""
    for find in _KINDS:
        try:
            _run(find, now)
        except Exception:
            log.exception("alerts.failed", kind=find.__name__)


def _run(find: Callable[[datetime], None], now: datetime) -> None:
    with transaction.atomic():
        find(now)


def failing_webhooks(now: datetime) -> None:
    """At most one a day for each merchant, by the day of Bogotá."""
    created = {"created_at__gte": now - days.ONE_DAY, "created_at__lte": now - FAILING}
    # Each with its own index. Together they would read every delivery.
    late = Delivery.objects.filter(
        Q(status="PENDING", attempts__gt=0, **created)
        | Q(status="FAILED", attempts__gt=0, **created)
    )
    counted = late.order_by().values("merchant").annotate(count=Count("*"), since=Min("created_at"))
    for row in counted[:MOST]:
        merchant = _merchant(row["merchant"])
        # An index finds them by their creation, and no attempt is later than all delays together.
        longest = timedelta(seconds=sum(settings.WEBHOOK_RETRY_DELAYS))
        oldest = now - FAILING - longest
        recent = Delivery.objects.filter(merchant=merchant, created_at__gte=oldest)
        if recent.filter(delivered_at__gte=now - FAILING).exists():
            continue  # the receiver works: single events fail
        alert(
            merchant=merchant,
            template="webhooks_failing",
            context={
                "count": row["count"],
                "since": row["since"],
                "link": _link("webhooks/delivery/?status__exact=PENDING"),
            },
            key=f"webhooks-failing:{merchant.pk}:{days.day_of(now)}",
            to=addresses(merchant),
        )


def dispute_deadlines(now: datetime) -> None:
    due = Dispute.objects.filter(
        status="OPEN", evidence_due_at__gt=now, evidence_due_at__lte=now + DISPUTE_NOTICE
    )
    for dispute in due.select_related("order").order_by("evidence_due_at")[:MOST]:
        merchant = _merchant(dispute.order.merchant_id)
        alert(
            merchant=merchant,
            template="dispute_deadline",
            context={"dispute": dispute, "order": dispute.order, "link": _page(dispute)},
            key=f"dispute-deadline:{dispute.pk}",
            to=addresses(merchant),
        )


def waiting_payouts(now: datetime) -> None:
    """To the people who may approve it: once."""
    waiting = TeamApproval.objects.filter(status="WAITING", created_at__gte=now - RECENT)
    for approval in waiting.order_by("created_at")[:MOST]:
        merchant = _merchant(approval.merchant_id)
        if batch := PayoutBatch.objects.filter(pk=approval.subject_id).first():
            batches.waiting(batch=batch, approval=approval, merchant=merchant, link=_page(batch))
            continue
        payout = Payout.objects.get(pk=approval.subject_id)
        able = team.approvers(
            merchant_id=merchant.pk,
            asked_by=approval.requested_by,
            rule_set_by=approval.rule_set_by,
        )
        people = team.with_right(merchant.pk).filter(pk__in=[user.pk for user in able])
        alert(
            merchant=merchant,
            template="payout_waits",
            context={"payout": payout, "approval": approval, "link": _page(payout)},
            key=f"payout-waits:{payout.pk}",
            to=addresses(merchant, people=people),
        )


def finished_batches(now: datetime) -> None:
    for batch in batches.finished(now).iterator():
        if batches.is_over(batch, now):
            merchant = _merchant(batch.merchant_id)
            batches.report(batch=batch, merchant=merchant, link=_page(batch))


def changed_accounts(now: datetime) -> None:
    """So that a stranger in a person's account cannot change it unseen."""
    entered = BankAccount.objects.filter(status="UNVERIFIED", created_at__gte=now - RECENT)
    for account in entered.select_related("bank").order_by("created_at")[:MOST]:
        merchant = _merchant(account.merchant_id)
        alert(
            merchant=merchant,
            template="account_changed",
            context={"account": account, "link": _page(account)},
            key=f"account-changed:{account.pk}",
            to=addresses(merchant),
        )


_KINDS = (
    failing_webhooks,
    dispute_deadlines,
    waiting_payouts,
    finished_batches,
    changed_accounts,
)


def _merchant(key: str) -> Merchant:
    return Merchant.objects.defer("webhook_secret").get(pk=key)


def _page(row: Dispute | Payout | PayoutBatch | BankAccount) -> str:
    return f"{settings.PUBLIC_URL}{admin_url(row) or '/admin/'}"


def _link(path: str) -> str:
    return f"{settings.PUBLIC_URL}/admin/{path}"
