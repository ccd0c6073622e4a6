"""Celery tasks of reconciliation. The scanners find rows by their due times."""

from celery import shared_task

from payments.core import clock_skew
from payments.reconciliation.services.matching import due_lines, reports


@shared_task
def match_due() -> None:
    """Decides imported lines, and reports what an earlier run left unreported."""
    due_lines.match_due(now=clock_skew.now())
    reports.report_due(now=clock_skew.now())
