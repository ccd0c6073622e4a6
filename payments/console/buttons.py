"""Buttons that pages add to those of their acts (Unfold's templates draw both)."""

from typing import Any

from unfold.enums import ActionVariant


def button(title: Any, icon: str, path: str) -> dict[str, Any]:
    """A link beside the actions of a list or a record."""
    return {
        "title": title,
        "icon": icon,
        "path": path,
        "variant": ActionVariant.DEFAULT,
        "attrs": {},
        "dialog": None,
    }
