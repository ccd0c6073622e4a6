"""Celery shell of settlements: a scanner, which finds the days that are over and not closed."""

from celery import shared_task

from payments.core import clock_skew
from payments.settlement.services import day_closing


@shared_task
def close_due() -> None:
    """Closes days, from ten past midnight in Bogotá on."""
    day_closing.close_due(now=clock_skew.now())
