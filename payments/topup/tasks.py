"""Celery shells of top-ups."""

from celery import shared_task

from payments.core import clock, clock_skew
from payments.topup.services.engine import engine


@shared_task
def send_topup(topup_id: str) -> None:
    """The doorbell of one top-up. Requests send at once: it rings only for what waits."""
    engine.send(payment_id=topup_id, now=clock.now())


@shared_task
def act_due() -> None:
    """The scanner: what a request left in doubt."""
    engine.act_due(now=clock_skew.now())
