"""`manage.py makemessages`, which also collects the texts of the API's reference.

They are docstrings, help texts and tables of a manual, where xgettext does not look.
"""

from typing import Any

from django.conf import settings
from django.core.management.commands import makemessages

from payments.api.reference import texts

# Exists while the command runs.
FILE = settings.BASE_DIR / "payments" / "api" / "reference" / "collected_texts.py"


class Command(makemessages.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        # A percent sign in these texts is one.
        lines = (
            f"# xgettext:no-python-format\ngettext_noop({text!r})\n" for text in texts.collected()
        )
        FILE.write_text("".join(lines))
        try:
            super().handle(*args, **options)
        finally:
            FILE.unlink()
