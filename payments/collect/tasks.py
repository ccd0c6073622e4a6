"""Celery tasks of collections. The scanners find rows by their due times."""

from celery import shared_task

from payments.collect.services.charges import coin_reports, reconciliation
from payments.collect.services.endings import expiry
from payments.collect.services.refunds.refund_engine import engine
from payments.core import clock_skew
from payments.outgoing.wake_ups import send_all


@shared_task
def expire_due() -> None:
    expiry.expire_due(now=clock_skew.now())


@shared_task
def reconcile_due() -> None:
    reconciliation.reconcile_due(now=clock_skew.now())


@shared_task
def report_coins() -> None:
    coin_reports.report_coins(now=clock_skew.now())


@shared_task
def send_refund(*refund_ids: str) -> None:
    send_all(engine, refund_ids)


@shared_task
def process_due() -> None:
    """Sends approved refunds, and queries refunds in doubt."""
    engine.process_due(now=clock_skew.now())
