"""`manage.py verify_settlements`: one line of JSON on standard output; exit 1 for any problem."""

import sys
import time
from dataclasses import asdict

from django.core.management.base import BaseCommand

from payments.core import clock, jsontext
from payments.core.models import record_check
from payments.settlement.models import Settlement
from payments.settlement.services import verification


class Command(BaseCommand):
    help = "Checks that closed days tie with the books; prints one line of JSON, exits 1 if not."

    def handle(self, *args: object, **options: object) -> None:
        started, now = time.monotonic(), clock.now()
        problems = verification.verify(now=now)
        record_check("settlements", passed=not problems, now=now)
        facts: dict[str, object] = {
            "ok": not problems,
            "settlements": Settlement.objects.count(),
            "seconds": round(time.monotonic() - started, 3),
        }
        if problems:
            facts["problems"] = [asdict(problem) for problem in problems]
        self.stdout.write(jsontext.dumps(facts))
        if problems:
            sys.exit(1)
