"""Celery tasks of reconciliation. The scanners find rows by their due times."""

from celery import shared_task

from payments.core import clock_skew, days
from payments.reconciliation.services import directory, uploads
from payments.reconciliation.services.days import due_days
from payments.reconciliation.services.disbursements import arrivals
from payments.reconciliation.services.matching import due_lines, reports


@shared_task
def match_due() -> None:
    """Decides imported lines, and reports what an earlier run left unreported."""
    due_lines.match_due(now=clock_skew.now())
    reports.report_due(now=clock_skew.now())


@shared_task
def mark_late_disbursements() -> None:
    now = clock_skew.now()
    arrivals.mark_late(today=days.day_of(now), now=now)


@shared_task
def import_uploads() -> None:
    """Imports the uploaded statements that are due. The scanner finds those of a dead worker."""
    uploads.import_due()


@shared_task
def forget_uploads() -> None:
    uploads.forget_old(now=clock_skew.now())


@shared_task
def watch_directory() -> None:
    """Imports the files of STATEMENT_DIRECTORY that are no longer being written."""
    directory.import_files(now=clock_skew.now())


@shared_task
def reconcile_days() -> None:
    due_days.reconcile_due(now=clock_skew.now())
