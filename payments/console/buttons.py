"""Buttons beside those of the actions; Unfold's templates draw both."""

from typing import TypedDict

from unfold.enums import ActionVariant

from payments.console.registry import Text


class Button(TypedDict):
    title: Text
    icon: str
    path: str
    variant: ActionVariant
    attrs: dict[str, str]
    dialog: None


def button(title: Text, icon: str, path: str) -> Button:
    """A link beside the actions of a list or a record."""
    return {
        "title": title,
        "icon": icon,
        "path": path,
        "variant": ActionVariant.DEFAULT,
        "attrs": {},
        "dialog": None,
    }
