"""The bank of an account: the usual ones first, all others by their name, and a search."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy as _
from unfold.widgets import INPUT_CLASSES, UnfoldAdminSelectWidget

from payments.payout.models import Bank

# Where most accounts in Colombia are, in this order.
USUAL = ("bancolombia", "nequi", "davivienda", "daviplata")
EMPTY = ("", _("Choose a bank"))


class BankSelect(UnfoldAdminSelectWidget):
    """Without static/console/shell.js it is a select as others."""

    def __init__(self) -> None:
        super().__init__(
            attrs={
                "data-picker": "",
                "data-placeholder": _("Type the name of the bank"),
                "data-input-class": " ".join(INPUT_CLASSES),
            }
        )


def choices(banks: Iterable[Bank]) -> list[Any]:
    listed = {bank.pk: bank for bank in banks}
    first = [listed.pop(slug) for slug in USUAL if slug in listed]
    if not first or not listed:
        return [EMPTY, *_pairs(first or listed.values())]
    return [EMPTY, (_("Most used"), _pairs(first)), (_("All banks"), _pairs(listed.values()))]


def _pairs(banks: Iterable[Bank]) -> list[tuple[str, str]]:
    return [(bank.pk, bank.name) for bank in banks]
