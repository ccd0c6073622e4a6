"""Batches of payouts that wait for an approval, or are finished."""

from datetime import datetime, timedelta
from decimal import Decimal

from django.contrib.auth.models import User
from django.db.models import QuerySet

from merchants.models import Merchant
from payments.alerts.recipients import addresses, alert
from payments.mail.models import Mail
from payments.payout.models import Payout, TeamApproval, TeamDecision
from payments.payout.services import team
from payments.payout_batches.models import BatchStatus, LineStatus, PayoutBatch
from payments.payout_batches.services import totals

FINISHED = "batch_finished"
# Payouts that a bank still holds after this time are counted as on their way.
PATIENCE = timedelta(days=2)
# Shorter than mails are kept (mail.retention), because their keys tell what was mailed.
RECENT = timedelta(days=4)
_OPEN = (Payout.Status.PENDING, Payout.Status.PROCESSING)
_FAILED = (Payout.Status.FAILED, Payout.Status.REFUNDED)


def waiting(*, batch: PayoutBatch, approval: TeamApproval, merchant: Merchant, link: str) -> None:
    """To the people who may approve it: once."""
    able = [
        user
        for user in team.approvers(
            merchant_id=merchant.pk,
            asked_by=approval.requested_by,
            rule_set_by=approval.rule_set_by,
        )
        if team.is_second(user, batch.created_by)
    ]
    people = team.with_right(merchant.pk).filter(pk__in=[user.pk for user in able])
    alert(
        merchant=merchant,
        template="batch_waits",
        context={"batch": batch, "approval": approval, "link": link},
        key=f"batch-waits:{batch.pk}",
        to=addresses(merchant, people=people),
    )


def finished(now: datetime) -> QuerySet[PayoutBatch]:
    """Not mailed yet. Some of them may still have payouts on their way."""
    keys = Mail.objects.filter(template=FINISHED, created_at__gte=now - RECENT)
    mailed = {key.split(":")[1] for key in keys.values_list("key", flat=True)}
    recent = PayoutBatch.objects.filter(status=BatchStatus.DONE, finished_at__gte=now - RECENT)
    return recent.exclude(pk__in=mailed).order_by("finished_at")


def is_over(batch: PayoutBatch, now: datetime) -> bool:
    """Whether each payout arrived or failed, or took too long to wait for."""
    if batch.finished_at is not None and batch.finished_at <= now - PATIENCE:
        return True
    return not batch.lines.filter(payout__status__in=_OPEN).exists()


def report(*, batch: PayoutBatch, merchant: Merchant, link: str) -> None:
    """To the people who prepared, sent and approved it: once."""
    if to := addresses(merchant, people=_people(batch)):
        alert(
            merchant=merchant,
            template=FINISHED,
            context={"batch": batch, "link": link, **_figures(batch)},
            key=f"batch-finished:{batch.pk}",
            to=to,
        )


def _people(batch: PayoutBatch) -> QuerySet[User]:
    """Of the merchant. A batch of the API has no person here: its webhooks tell."""
    deciders = TeamDecision.objects.filter(
        approval_id=batch.pk, kind=TeamDecision.Kind.APPROVED
    ).values("person")
    makers = User.objects.filter(username__in={batch.created_by, batch.submitted_by})
    found = makers | User.objects.filter(username__in=deciders)
    return found.filter(is_active=True, membership__merchant=batch.merchant_id).distinct()


def _figures(batch: PayoutBatch) -> dict[str, object]:
    rows = totals.by_payout_status(batch)
    refused = totals.by_status(batch).get(LineStatus.REFUSED, (0, Decimal(0)))[0]
    lines = {status: count for status, count, _amount in rows}
    return {
        "arrived": lines.get(Payout.Status.COMPLETED, 0),
        "amount": sum(
            (sum_ for one, _n, sum_ in rows if one == Payout.Status.COMPLETED), Decimal(0)
        ),
        "failed": refused + sum(lines.get(status, 0) for status in _FAILED),
        "open": sum(lines.get(status, 0) for status in _OPEN),
    }
