from celery import shared_task

from payments.bills.services.engine import engine
from payments.core import clock, clock_skew


@shared_task
def send_bill_payment(*payment_ids: str) -> None:
    for payment_id in payment_ids:
        engine.send(payment_id=payment_id, now=clock.now())


@shared_task
def process_due() -> None:
    engine.process_due(now=clock_skew.now())
