"""What the people of a merchant read about their account: each setting, its value, and where it is
changed. Each app adds those of its own.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.utils.module_loading import import_string

from payments.console.cockpit import Subject
from payments.console.registry import Text, declared

# The parts of the page.
LEGAL, PAYERS_PAGE, ENABLED, PAYOUTS, WEBHOOKS = (
    *("legal", "payers_page", "enabled", "payouts", "webhooks"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """
    value    empty: it is not set up, and the page says so.
    change   the address of the page that changes it. Empty: this person does not change it.
    act      what the link says, if not `Change`.
    """

    part: str
    label: Text
    value: object = ""
    change: str = ""
    act: Text = ""


def settings_of(subject: Subject) -> list[Setting]:
    """Those of all apps, for pages of the merchant's own people."""
    found: list[Setting] = []
    for path in filter(None, (console.settings for console in declared().values())):
        make: Callable[[Subject], Iterable[Setting]] = import_string(path)
        found += make(subject)
    return found
