from datetime import datetime, timedelta

from django.conf import settings

from payments.mail.models import Mail

BATCH_ROWS = 1_000
# Alerts look back some days, and the key of a mail says that it was written.
KEPT_LEAST_DAYS = 7


def delete_old(*, now: datetime) -> int:
    """Deletes mails older than MAIL_KEPT_DAYS that will not be sent. Returns how many."""
    before = now - timedelta(days=max(settings.MAIL_KEPT_DAYS, KEPT_LEAST_DAYS))
    old = Mail.objects.filter(created_at__lt=before, due_at=None).order_by("created_at")
    total = 0
    while keys := list(old.values_list("pk", flat=True)[:BATCH_ROWS]):
        total += Mail.objects.filter(pk__in=keys).delete()[0]
    return total
