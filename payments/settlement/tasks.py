from celery import shared_task

from payments.core import clock_skew
from payments.settlement.services import day_closing


@shared_task
def close_due() -> None:
    day_closing.close_due(now=clock_skew.now())
