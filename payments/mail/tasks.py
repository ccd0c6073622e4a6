from celery import shared_task

from payments.core import clock_skew
from payments.mail import outbox, retention, sending


@shared_task
def send_due() -> None:
    """Started by each mail, and by beat every few seconds."""
    sending.send_due()


@shared_task
def delete_old() -> None:
    now = clock_skew.now()
    outbox.erase_ended_secrets(now=now)
    retention.delete_old(now=now)
