"""The base of the operator's commands, which print one line of JSON.

Exit codes: 0 done, 1 refused (nothing was changed), 2 wrong usage. Errors go to standard error.
"""

import getpass
import os
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, no_translations
from django.db import OperationalError

from merchants.models import Merchant, Permission
from payments.core import jsontext
from payments.core.errors import ServiceError


class OperatorCommand(BaseCommand):
    # A script expects a line of JSON, not the warnings of `check`.
    requires_system_checks: list[str] = []
    # Takes the options of the command, and returns what is printed.
    result: Callable[..., Mapping[str, object]]

    @no_translations
    def handle(self, *args: object, **options: object) -> None:
        """Prints a refusal as one line and ends with exit code 1."""
        try:
            self.stdout.write(jsontext.dumps(self.result(**options)))
        except ValidationError as error:
            raise CommandError(readable(error)) from error
        except ServiceError as error:
            raise CommandError(error.message) from error
        except OperationalError as error:
            raise CommandError(f"The database does not answer: {error}") from error

    @property
    def actor(self) -> str:
        """The operating system's user, for the audit row."""
        try:
            person = os.environ.get("SUDO_USER") or getpass.getuser()
        except (KeyError, OSError):  # a container's user may have no name
            person = str(os.getuid())
        return f"command:{person}"


def readable(error: ValidationError) -> str:
    """One line: `email: Enter a valid email address.`"""
    if not hasattr(error, "error_dict"):
        return " ".join(error.messages)
    return " ".join(
        f"{field}: {' '.join(messages)}" for field, messages in error.message_dict.items()
    )


def find_merchant(merchant_id: str) -> Merchant:
    """Raises CommandError."""
    if (merchant := Merchant.objects.filter(pk=merchant_id).first()) is None:
        raise CommandError(f"There is no merchant {merchant_id}.")
    return merchant


# For an option that takes several values and may be repeated.
SEVERAL: dict[str, Any] = {"nargs": "+", "action": "extend", "default": []}


def add_permission_option(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--permission",
        **SEVERAL,
        choices=Permission.values,
        help="what the key may do beyond reading and collecting",
    )


def unique(values: list[str]) -> list[str]:
    """Removes duplicates and keeps the order."""
    return list(dict.fromkeys(values))
