"""What the page of a merchant shows above its settings. Each app adds its panels.

Each panel reads an index or a tally, so the page costs the same at any number of payments.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.utils.module_loading import import_string

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
    # Said in red above the next step of the page, too.
    is_alarm: bool = False


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


def alarms(figures: Iterable[Panel]) -> list[str]:
    """What went wrong, above the next step: `Webhooks, 24 hours: failed for good 1`."""
    return [
        f"{panel.title}: {fact.label} {fact.value}"
        for panel in figures
        for fact in panel.facts
        if fact.is_alarm
    ]
