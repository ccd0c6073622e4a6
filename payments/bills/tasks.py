"""Celery shells of bill payments."""

from celery import shared_task

from payments.bills.services.engine import engine
from payments.core import clock, clock_skew


@shared_task
def send_bill_payment(payment_id: str) -> None:
    """The doorbell of one payment. Requests pay at once, so that it hardly ever rings."""
    engine.send(payment_id=payment_id, now=clock.now())


@shared_task
def act_due() -> None:
    """The scanner: what a request left in doubt."""
    engine.act_due(now=clock_skew.now())
