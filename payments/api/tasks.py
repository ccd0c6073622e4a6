from celery import shared_task

from payments.api import request_log
from payments.core import clock_skew


@shared_task
def delete_old_calls() -> None:
    request_log.delete_old(now=clock_skew.now())
