"""What the page of a merchant shows above its settings. Each app adds its panels.

Each panel reads an index or a tally, so the page costs the same at any number of payments.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.module_loading import import_string
from django.utils.safestring import SafeString

from payments.console.overview import Overview
from payments.console.registry import FirstStep, Text, declared
from payments.console.tenancy import Scope
from payments.core import clock

DAYS = 30
ROWS_MAX = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The merchant that the page is about, and who reads it.

    scope   of the merchant alone, for queries and the cache.
    """

    request: HttpRequest
    merchant_id: str
    now: datetime

    @property
    def scope(self) -> Scope:
        return frozenset({self.merchant_id})

    def may(self, right: str) -> bool:
        return self.request.user.has_perm(right)

    @property
    def overview(self) -> Overview:
        return Overview(self.request, self.now, self.scope)


@dataclass(frozen=True, slots=True)
class Fact:
    label: Text
    value: object
    is_bad: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A record in a panel: what it is, its amount or result, and its state."""

    at: datetime
    what: object
    detail: object = ""
    figure: object = ""
    state: object = ""
    href: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """
    figures   the large amounts.
    alarm     said in red above the next step of the page, with its button.
    step      what is missing, and the button that leads to it.
    empty     shown if there are no rows. None: the panel has no rows, or only if there are any.
    is_nothing     there is nothing to show yet: people of the merchant do not see it.
    is_technical   of the merchant's own system: for its people below everything else.
    """

    order: int
    title: Text
    figures: tuple[object, ...] = ()
    note: object = ""
    facts: tuple[Fact, ...] = ()
    rows: tuple[Row, ...] = ()
    empty: Text | None = None
    is_nothing: bool = False
    is_technical: bool = False
    links: tuple[tuple[Text, str], ...] = ()
    alarm: tuple[object, Text, str] | None = None
    step: tuple[object, Text, str] | None = None

    @property
    def amounts(self) -> list[tuple[str, str]]:
        """The figures, each with its unit apart."""
        split = (str(figure).rpartition(" ") for figure in self.figures)
        return [(number or unit, unit if number else "") for number, _space, unit in split]

    @property
    def is_list(self) -> bool:
        return self.empty is not None


def open_steps(subject: Subject) -> list[FirstStep]:
    """All first steps of this person, in their order. Empty as soon as all of them are done."""
    paths = filter(None, (console.first_steps for console in declared().values()))
    steps: list[FirstStep] = [step for path in paths for step in import_string(path)(subject)]
    if all(step.is_done for step in steps):
        return []
    return sorted(steps, key=lambda step: step.order)


def panels(subject: Subject) -> list[Panel]:
    found: list[Panel] = []
    for path in filter(None, (console.cockpit for console in declared().values())):
        make: Callable[[Subject], Iterable[Panel]] = import_string(path)
        found += make(subject)
    return sorted(found, key=lambda panel: panel.order)


def of_merchant(request: HttpRequest, merchant_id: str) -> dict[str, list[Panel]]:
    """Figures and lists, for templates/admin/cockpit.html."""
    found = panels(Subject(request=request, merchant_id=merchant_id, now=clock.now()))
    return {
        "cockpit_figures": [panel for panel in found if not panel.is_list],
        "cockpit_lists": [panel for panel in found if panel.is_list],
    }


def alarms(found: Iterable[Panel]) -> list[SafeString]:
    """What went wrong, above the next step."""
    return [
        format_html(
            '<span>{}</span> <a class="shell-action" href="{}">{}</a>', text, address, label
        )
        for text, label, address in (panel.alarm for panel in found if panel.alarm)
    ]


def with_steps(record_step: dict[str, Any] | None, found: Iterable[Panel]) -> dict[str, Any] | None:
    """The next step of a record with those of its panels. A step that is done gives way."""
    lines = [
        {"why": why, "buttons": [(label, address)], "is_needed": True, "is_quiet": False}
        for why, label, address in (panel.step for panel in found if panel.step)
    ]
    if not lines:
        return record_step
    earlier = record_step["lines"] if record_step and record_step["is_needed"] else []
    return {"lines": [*earlier, *lines], "is_needed": True, "is_for_others": False}
