from celery import shared_task

from payments.bills.services.engine import engine
from payments.core import clock, clock_skew


@shared_task
def send_bill_payment(payment_id: str) -> None:
    engine.send(payment_id=payment_id, now=clock.now())


@shared_task
def process_due() -> None:
    engine.process_due(now=clock_skew.now())
