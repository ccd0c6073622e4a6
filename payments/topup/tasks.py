from celery import shared_task

from payments.core import clock_skew
from payments.outgoing.wake_ups import send_all
from payments.topup.services.engine import engine


@shared_task
def send_topup(*topup_ids: str) -> None:
    send_all(engine, topup_ids)


@shared_task
def process_due() -> None:
    engine.process_due(now=clock_skew.now())
