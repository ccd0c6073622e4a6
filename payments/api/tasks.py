"""Celery shells of the API's log."""

from celery import shared_task

from payments.api import calls
from payments.core import clock_skew


@shared_task
def delete_old_calls() -> None:
    """Sent by beat: what is older than API_LOG_DAYS goes."""
    calls.delete_old(now=clock_skew.now())
