from celery import shared_task

from payments.core import clock_skew
from payments.payout_batches.services import queue


@shared_task
def process_batches() -> None:
    queue.process_batches(now=clock_skew.now())


@shared_task
def forget_drafts() -> None:
    queue.forget_drafts(now=clock_skew.now())
