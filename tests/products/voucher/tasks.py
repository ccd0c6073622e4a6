from celery import shared_task

from payments.core import clock, clock_skew
from tests.products.voucher.services.engine import engine


@shared_task
def send_voucher(voucher_id: str) -> None:
    engine.send(payment_id=voucher_id, now=clock.now())


@shared_task
def process_due() -> None:
    engine.process_due(now=clock_skew.now())
