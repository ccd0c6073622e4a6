from celery import shared_task

from payments.core import clock, clock_skew
from payments.topup.services.engine import engine


@shared_task
def send_topup(*topup_ids: str) -> None:
    for topup_id in topup_ids:
        engine.send(payment_id=topup_id, now=clock.now())


@shared_task
def process_due() -> None:
    engine.process_due(now=clock_skew.now())
