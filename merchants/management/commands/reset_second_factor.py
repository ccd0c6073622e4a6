"""`manage.py reset_second_factor NAME --reason TEXT`: for the case that no operator can log in."""

from argparse import ArgumentParser

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from merchants.management.base import OperatorCommand
from payments.console import lockout, second_factor


class Command(OperatorCommand):
    """The operator sets up a new device at the next login."""

    help = "Removes device and backup codes of an operator, ends the sessions, and unlocks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the user name, as it is typed at the login")
        parser.add_argument("--reason", required=True, help="kept in the audit log")

    def result(self, *, name: str, reason: str, **_: object) -> dict[str, object]:
        person = User.objects.filter(username=name).first()
        if person is None:
            raise CommandError("No operator has this user name.")
        second_factor.reset(user=person, actor=self.actor, reason=reason)
        lockout.unlock(user=person, actor=self.actor, reason=reason)
        return {"operator": person.get_username()}
