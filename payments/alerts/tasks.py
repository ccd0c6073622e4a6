from celery import shared_task

from payments.alerts import scanning
from payments.core import clock_skew


@shared_task
def scan() -> None:
    scanning.scan(now=clock_skew.now())
