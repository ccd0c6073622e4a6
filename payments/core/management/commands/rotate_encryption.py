"""`manage.py rotate_encryption`: one line of JSON; exit 1 when a value is left."""

import sys
from dataclasses import asdict

from django.core.management.base import BaseCommand

from payments.core import encryption, jsontext


class Command(BaseCommand):
    help = "Encrypts every stored secret with the first of ENCRYPTION_KEYS, so others can go."

    def handle(self, *args: object, **options: object) -> None:
        found = encryption.rotate()
        self.stdout.write(jsontext.dumps({"ok": found.left == 0, **asdict(found)}))
        if found.left:
            sys.exit(1)
