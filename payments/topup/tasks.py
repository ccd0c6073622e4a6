"""Celery tasks of top-ups."""

from celery import shared_task

from payments.core import clock, clock_skew
from payments.topup.services.engine import engine


@shared_task
def send_topup(topup_id: str) -> None:
    """A wake-up for what the request did not send."""
    engine.send(payment_id=topup_id, now=clock.now())


@shared_task
def process_due() -> None:
    """The scan: what a request left in doubt."""
    engine.process_due(now=clock_skew.now())
