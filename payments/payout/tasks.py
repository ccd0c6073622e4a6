"""Celery shells of payouts."""

from celery import shared_task

from payments.core import clock, clock_skew
from payments.payout.services.engine import engine


@shared_task
def send_payout(payout_id: str) -> None:
    """The doorbell of one payout."""
    engine.send(payment_id=payout_id, now=clock.now())


@shared_task
def act_due() -> None:
    """The scanner: what the doorbell lost, and what is still in doubt."""
    engine.act_due(now=clock_skew.now())
