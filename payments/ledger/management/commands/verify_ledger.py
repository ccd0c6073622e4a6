"""`manage.py verify_ledger`: one line of JSON on standard output; exit 1 for any problem."""

import sys
import time
from dataclasses import asdict

from django.core.management.base import BaseCommand

from payments.core import clock, jsontext
from payments.core.models import record_check
from payments.ledger import services


class Command(BaseCommand):
    help = "Checks that the books add up; prints one line of JSON, exits 1 and names what does not."

    def handle(self, *args: object, **options: object) -> None:
        started, now = time.monotonic(), clock.now()
        report = services.verify()
        record_check("ledger", passed=report.ok, now=now)
        facts = {"ok": report.ok, **asdict(report), "seconds": round(time.monotonic() - started, 3)}
        problems = facts.pop("problems")
        if not report.ok:
            facts["problems"] = [
                {name: value for name, value in problem.items() if value is not None}
                for problem in problems
            ]
        self.stdout.write(jsontext.dumps(facts))
        if not report.ok:
            sys.exit(1)
