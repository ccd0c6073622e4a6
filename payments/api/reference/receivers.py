"""Programs that receive webhooks, from examples/receivers."""

from dataclasses import dataclass
from functools import cache

from django.conf import settings

FOLDER = settings.BASE_DIR / "examples" / "receivers"
LANGUAGES = {
    "python": ("Python", "receiver.py"),
    "node": ("Node.js", "receiver.js"),
    "php": ("PHP", "receiver.php"),
}


@dataclass(frozen=True, slots=True)
class Receiver:
    slug: str
    language: str
    code: str


@cache
def receivers() -> tuple[Receiver, ...]:
    """Without those whose file is not installed."""
    return tuple(
        Receiver(slug, language, (FOLDER / name).read_text())
        for slug, (language, name) in LANGUAGES.items()
        if (FOLDER / name).is_file()
    )
