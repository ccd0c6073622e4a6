from celery import shared_task

from payments.core import clock_skew
from payments.payment_files.services import reports


@shared_task
def report_lines() -> None:
    reports.report_lines(now=clock_skew.now())
