"""Celery tasks of bill payments."""

from celery import shared_task

from payments.bills.services.engine import engine
from payments.core import clock, clock_skew


@shared_task
def send_bill_payment(payment_id: str) -> None:
    """A wake-up for what the request did not send."""
    engine.send(payment_id=payment_id, now=clock.now())


@shared_task
def process_due() -> None:
    """The scan: what a request left in doubt."""
    engine.process_due(now=clock_skew.now())
