"""`manage.py reset_second_factor NAME --reason TEXT`: when no other operator can do it."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from merchants.management.base import OperatorCommand
from payments.console import lockout, second_factor


class Command(OperatorCommand):
    """Prints {"operator"}. The person sets up a new device at the next login."""

    help = "Removes device and backup codes of an operator, ends the sessions, and unlocks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the user name, as it is typed at the login")
        parser.add_argument("--reason", required=True, help="kept in the audit log")

    def result(self, **options: Any) -> dict[str, object]:
        person = User.objects.filter(username=options["name"]).first()
        if person is None:
            raise CommandError("No operator has this user name.")
        why = {"user": person, "actor": self.actor, "reason": options["reason"]}
        second_factor.reset(**why)
        lockout.unlock(**why)
        return {"operator": person.get_username()}
