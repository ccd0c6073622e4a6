"""`manage.py purge`, every night: one line of JSON on standard output (docs/operations/run.md)."""

from django.contrib.sessions.models import Session
from django.core.management.base import BaseCommand

from payments.collect.services.orders import retention
from payments.core import clock, jsontext


class Command(BaseCommand):
    help = "Drops ended sessions and, where DATA_RETENTION_DAYS says so, who paid old orders."

    def handle(self, *args: object, **options: object) -> None:
        now = clock.now()
        sessions, _ = Session.objects.filter(expire_date__lt=now).delete()
        payers = retention.forget_payers(now=now)
        self.stdout.write(jsontext.dumps({"sessions": sessions, "payers": payers}))
