"""What every page of the console shares; the records' own pages are in each app's admin."""

from payments.core.console import walls
from payments.core.console.acts import (
    ALREADY_SENT,
    Act,
    ReasonForm,
    claim_form,
    new_form_token,
    right_to,
)
from payments.core.console.lists import COUNT_CAP, CappedPaginator, DaysFilter, midnight
from payments.core.console.pages import ConsoleAdmin, PossibleActs, ReadOnlyAdmin, ReadOnlyInline
from payments.core.console.show import actor, admin_url, amount, badge, link, moment, table, when

__all__ = [
    "ALREADY_SENT",
    "COUNT_CAP",
    "Act",
    "CappedPaginator",
    "ConsoleAdmin",
    "DaysFilter",
    "PossibleActs",
    "ReadOnlyAdmin",
    "ReadOnlyInline",
    "ReasonForm",
    "actor",
    "admin_url",
    "amount",
    "badge",
    "claim_form",
    "link",
    "midnight",
    "moment",
    "new_form_token",
    "right_to",
    "table",
    "walls",
    "when",
]
