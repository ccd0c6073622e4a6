from celery import shared_task

from payments.core import clock_skew
from payments.rails.services import balances


@shared_task
def read_balances() -> None:
    balances.read_balances(now=clock_skew.now())
