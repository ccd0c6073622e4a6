"""Buttons beside those of the actions; Unfold's templates draw both."""

from typing import Any

from unfold.enums import ActionVariant

from payments.console.registry import Text


def button(title: Text, icon: str, path: str) -> dict[str, Any]:
    """A link beside the actions of a list or a record."""
    return {
        "title": title,
        "icon": icon,
        "path": path,
        "variant": ActionVariant.DEFAULT,
        "attrs": {},
        "dialog": None,
    }
