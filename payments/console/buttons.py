"""Buttons beside those of the actions; Unfold's templates draw both."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from django.utils.html import format_html_join
from django.utils.safestring import SafeString
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


# Beside more buttons there is no room for the name of a record.
SHOWN_OF_RECORD = 2
SHOWN_OF_LIST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderButtons:
    """shown: beside the title. further, others: in the menu; others are drawn already."""

    shown: Sequence[dict[str, Any]]
    further: Sequence[dict[str, Any]]
    others: SafeString


def arranged(found: Sequence[dict[str, Any]], most: int, others: Iterable[object]) -> HeaderButtons:
    """The main act first, menus next. Dangerous acts are in the menu if there is one."""
    drawn = [SafeString(text) for each in others if (text := str(each or "").strip())]
    menus = [each for each in found if each.get("items")]
    plain = sorted((each for each in found if not each.get("items")), key=_rank)
    room = 1 if menus else most
    has_menu = bool(drawn) or len(plain) > room
    if has_menu:
        room = min(room, max(sum(_rank(each) < _DANGEROUS for each in plain), 1))
    kept = plain[:room]
    return HeaderButtons(
        shown=[*kept, *menus],
        further=plain[len(kept) :],
        others=format_html_join("", "{}", ((text,) for text in drawn)),
    )


_DANGEROUS = 2
_RANKS = {ActionVariant.PRIMARY: 0, ActionVariant.DANGER: _DANGEROUS}


def _rank(one: dict[str, Any]) -> int:
    return _RANKS.get(one.get("variant", ActionVariant.DEFAULT), 1)


def without(found: Sequence[dict[str, Any]], paths: Iterable[str]) -> list[dict[str, Any]]:
    """Leaves out the buttons of these addresses, and menus that have no other."""
    gone = set(paths)
    left: list[dict[str, Any]] = []
    for one in found:
        if items := one.get("items"):
            rest = [item for item in items if item["path"] not in gone]
            left += [{**one, "items": rest}] if rest else []
        elif one["path"] not in gone:
            left.append(one)
    return left
