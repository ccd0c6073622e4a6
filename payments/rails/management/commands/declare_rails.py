"""manage.py declare_rails: the accounts and routes of RAIL_ACCOUNTS_FILE or RAIL_ACCOUNTS."""

import json
import os
from dataclasses import asdict
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from payments.core import clock
from payments.rails.services import declaration_file, declarations


class Command(BaseCommand):
    help = (
        "Enters and changes the provider accounts and routes that the deployment declares "
        "(RAIL_ACCOUNTS_FILE or RAIL_ACCOUNTS). Safe to repeat. All of it or nothing."
    )

    def handle(self, **options: object) -> None:
        if not (text := _declared()).strip():
            return
        try:
            declaration = declaration_file.parse(text)
            accounts, routes = declarations.apply(declaration=declaration, now=clock.now())
        except declaration_file.DeclarationRefused as error:
            raise CommandError(f"The declaration of rails is refused. {error}") from None
        self.stdout.write(json.dumps({"accounts": asdict(accounts), "routes": asdict(routes)}))


def _declared() -> str:
    """Read here and not by the settings, which many pages and commands could show."""
    if not settings.RAIL_ACCOUNTS_FILE:
        return os.environ.get("RAIL_ACCOUNTS", "")
    try:
        return Path(settings.RAIL_ACCOUNTS_FILE).read_text(encoding="utf-8")
    except OSError as error:
        text = f"RAIL_ACCOUNTS_FILE cannot be read: {error.strerror}."
        raise CommandError(text) from None
    except UnicodeDecodeError:
        raise CommandError("RAIL_ACCOUNTS_FILE is no UTF-8 text.") from None
