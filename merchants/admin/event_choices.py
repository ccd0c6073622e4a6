"""The events that an account may choose, in words and in groups."""

from collections.abc import Callable
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from merchants.models import fixed_event_words, optional_event_words
from payments.console.registry import Text
from payments.core.products import products

# By the first part of the kind. Products name their own; others are shown together.
Choices = list[tuple[str, SafeString]]
GROUPS: dict[str, Text] = {
    "payment": _("Payments"),
    "refund": _("Refunds"),
    "link": _("Payment links"),
    "batch": _("Payouts by file"),
    "settlement": _("Settlements"),
}


def _groups() -> dict[str, Text]:
    of_products = {each.name: capfirst(gettext(each.plural)) for each in products() if each.events}
    return {**GROUPS, **of_products}


def choice(words: str, kind: str) -> SafeString:
    """What happened, and below it the code that a receiver reads."""
    return format_html(
        '{} <code class="desk-small" lang="en" translate="no">{}</code>', words, kind
    )


def event_choices() -> list[tuple[str, SafeString]]:
    return [(kind, choice(words, kind)) for kind, words in optional_event_words()]


def fixed_choices() -> list[tuple[str, SafeString]]:
    return [(kind, choice(words, kind)) for kind, words in fixed_event_words()]


class EventGroupsWidget(UnfoldAdminCheckboxSelectMultipleWidget):
    """Each group is folded, and says how many of its events are chosen."""

    input_type = "select"  # the theme writes the label of check boxes beside them

    def __init__(self, *args: Any, fixed: Callable[[], Choices] = list, **kwargs: Any) -> None:
        """fixed: what is always sent, ticked and locked."""
        super().__init__(*args, **kwargs)
        self.fixed = fixed

    def _render(self, template_name: str, context: dict[str, Any], renderer: Any = None) -> str:
        options = [one for _group, found, _index in context["widget"]["optgroups"] for one in found]
        titles, groups = _groups(), dict[str, list[Any]]()
        locked = [
            {"value": kind, "label": label, "selected": True, "is_locked": True}
            for kind, label in self.fixed()
        ]
        for option in (*locked, *options):
            prefix = str(option["value"]).partition(".")[0]
            groups.setdefault(prefix if prefix in titles else "", []).append(option)
        shown = [
            {
                "title": titles.get(prefix, _("Others")),
                "options": members,
                "chosen": sum(bool(one["selected"]) for one in members),
            }
            for prefix, members in groups.items()
        ]
        return render_to_string("admin/event_groups.html", {"groups": shown})
