"""What people call the state of a record, where it is not the name of its code.

One word in lists, tabs, badges and timelines, in the gender of the record's noun.
"""

from collections.abc import Mapping
from typing import Any

from django.db.models import Model
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from payments.console.formatting import badge
from payments.console.registry import Text

TO_APPROVE = _("To approve")
_words: dict[tuple[str, str], Text] = {}
_colours: dict[tuple[str, str], str] = {}


def add_state_words(model_name: str, words: Mapping[str, Text]) -> None:
    _words.update({(model_name, str(state)): word for state, word in words.items()})


def add_state_colours(model_name: str, colours: Mapping[str, str]) -> None:
    """As on the pages of these records: success, danger, warning, info or default."""
    _colours.update({(model_name, str(state)): colour for state, colour in colours.items()})


def colour_of(model_name: str, state: str) -> str:
    """Empty if the pages of these records have not said it."""
    return _colours.get((model_name, state), "")


def state_word(row: Any, noun: str = "") -> Text:
    """`row` has choices in `status`. noun: of whose words the state is, if not of its model."""
    if _waits_for_approval(row):
        return TO_APPROVE
    known = _words.get((noun or str(row._meta.model_name), row.status))
    return known or str(row.get_status_display())


def state_badge(row: Any, colours: Mapping[str, str], noun: str = "") -> SafeString:
    is_waiting = _waits_for_approval(row)
    return badge(state_word(row, noun), "warning" if is_waiting else colours[row.status])


def word_of(model: type[Model], state: str, name: Text) -> Text:
    """`name`: that of the code, if there is no other."""
    return _words.get((str(model._meta.model_name), state)) or name


def _waits_for_approval(row: Any) -> bool:
    """Until a person decides. A refund without an account waits for that first."""
    is_held = row.status == "PENDING" and getattr(row, "is_held_back", False)
    return bool(is_held and not getattr(row, "needs_destination", False))
