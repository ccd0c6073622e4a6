from celery import shared_task

from payments.bills.services.engine import engine
from payments.core import clock_skew
from payments.outgoing.wake_ups import send_all


@shared_task
def send_bill_payment(*payment_ids: str) -> None:
    send_all(engine, payment_ids)


@shared_task
def process_due() -> None:
    engine.process_due(now=clock_skew.now())
