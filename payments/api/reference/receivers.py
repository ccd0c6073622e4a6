"""Programs that receive webhooks: the files of examples/receivers, byte for byte."""

from dataclasses import dataclass
from functools import cache

from django.conf import settings

FOLDER = settings.BASE_DIR / "examples" / "receivers"
LANGUAGES = {"python": ("Python", "receiver.py"), "node": ("Node.js", "receiver.js")} | {
    "php": ("PHP", "receiver.php")
}


@dataclass(frozen=True, slots=True)
class Receiver:
    """A program in one language."""

    slug: str
    language: str
    code: str


@cache
def receivers() -> tuple[Receiver, ...]:
    """Those that came along."""
    return tuple(
        Receiver(slug, language, (FOLDER / name).read_text())
        for slug, (language, name) in LANGUAGES.items()
        if (FOLDER / name).is_file()
    )
