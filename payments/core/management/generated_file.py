"""The base of commands that write a file of docs/ from the code.

With --check a command writes nothing, and ends with exit code 1 if the file differs.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import ClassVar

from django.core.management.base import BaseCommand, CommandError


class GeneratedFileCommand(BaseCommand):
    file: ClassVar[Path]
    # What the text is made from, for the message.
    source: ClassVar[str]
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="only report a difference")
        parser.add_argument("--file", type=Path, default=self.file)

    def generate(self, current: str) -> str:
        """Returns the new text of a file that has the text `current`, empty without a file."""
        raise NotImplementedError

    def handle(self, *args: object, check: bool, file: Path, **options: object) -> None:
        current = file.read_text() if file.is_file() else ""
        text = self.generate(current)
        name = type(self).__module__.rpartition(".")[2]
        if text == current:
            self.stdout.write(f"{file} is current.")
        elif check:
            raise CommandError(f"{file} differs from the {self.source}. Run manage.py {name}.")
        else:
            file.write_text(text)
            self.stdout.write(f"{file} is written.")
