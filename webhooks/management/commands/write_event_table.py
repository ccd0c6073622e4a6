"""`manage.py write_event_table`: the table of events in docs/webhooks.md."""

import re

from django.conf import settings

from payments.core.management.generated_file import GeneratedFileCommand
from webhooks import catalogue

FILE = settings.BASE_DIR / "docs" / "webhooks.md"
_TABLE = re.compile(r"^\| Event \|.*\n(\|.*\n)+", re.MULTILINE)


class Command(GeneratedFileCommand):
    help = "Writes the table of events in docs/webhooks.md from the catalogue."
    file = FILE
    source = "catalogue"

    def generate(self, current: str) -> str:
        return _TABLE.sub(lambda _: catalogue.markdown_table() + "\n", current)
