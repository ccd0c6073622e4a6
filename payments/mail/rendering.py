"""The texts of a mail, in the language of its recipient."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.template import Context
from django.template.loader import get_template
from django.utils import translation


@dataclass(frozen=True, slots=True)
class Rendered:
    subject: str
    text: str
    html: str


def render(template: str, context: Mapping[str, object], language: str) -> Rendered:
    """The texts get `public_url`, because their links must be absolute."""
    values = {"public_url": settings.PUBLIC_URL, "language": language, **context}
    with translation.override(language):
        subject = _plain(f"mail/{template}/subject.txt", values)
        values["subject"] = subject
        return Rendered(
            subject=subject,
            text=_plain(f"mail/{template}/body.txt", values) + "\n",
            html=get_template(f"mail/{template}/body.html").render(values),
        )


def _plain(name: str, values: Mapping[str, object]) -> str:
    """Without escapes of HTML, which a text must not have."""
    inner = get_template(name).template  # type: ignore[attr-defined]
    return str(inner.render(Context(dict(values), autoescape=False))).strip()
