"""Celery tasks of payouts."""

from celery import shared_task

from payments.core import clock, clock_skew
from payments.payout.services.engine import engine


@shared_task
def send_payout(payout_id: str) -> None:
    """A wake-up: the scan finds the payout in any case."""
    engine.send(payment_id=payout_id, now=clock.now())


@shared_task
def process_due() -> None:
    """The scan: what the wake-up lost, and what is still in doubt."""
    engine.process_due(now=clock_skew.now())
