from celery import shared_task

from payments.core import clock_skew
from payments.rates.feed import runs


@shared_task
def read_prices() -> None:
    runs.read_prices(now=clock_skew.now())
