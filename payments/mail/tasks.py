from celery import shared_task

from payments.core import clock_skew
from payments.mail import retention, sending


@shared_task
def send_due() -> None:
    """Started by each mail, and by beat every few seconds."""
    sending.send_due()


@shared_task
def delete_old() -> None:
    retention.delete_old(now=clock_skew.now())
