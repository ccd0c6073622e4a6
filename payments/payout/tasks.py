from celery import shared_task

from payments.core import clock, clock_skew
from payments.payout.services.engine import engine


@shared_task
def send_payout(*payout_ids: str) -> None:
    for payout_id in payout_ids:
        engine.send(payment_id=payout_id, now=clock.now())


@shared_task
def process_due() -> None:
    engine.process_due(now=clock_skew.now())
