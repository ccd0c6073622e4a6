"""Celery shells of collections. Both are scanners: the rows they look for have due times."""

from celery import shared_task

from payments.collect.services import expiry, reconcile
from payments.core import clock


@shared_task
def expire_due() -> None:
    """Ends orders whose deadline has passed."""
    expiry.expire_due(now=clock.now())


@shared_task
def reconcile_due() -> None:
    """Asks providers about charges that are still open."""
    reconcile.reconcile_due(now=clock.now())
