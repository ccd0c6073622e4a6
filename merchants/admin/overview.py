"""The first page of a merchant's people: what stops a sale, and the panels of the account."""

from typing import Any

from merchants.admin import timelines
from merchants.models import Merchant
from payments.console import cockpit
from payments.console.formatting import page_url
from payments.console.overview import Overview


def parts(overview: Overview) -> dict[str, Any]:
    """For people of one merchant. People of several choose one."""
    if overview.scope is None or not overview.may("merchants.view_merchant"):
        return {}
    own = Merchant.objects.filter(pk__in=sorted(overview.scope)).defer("webhook_secret")
    merchants = list(own.order_by("name"))
    if len(merchants) != 1:
        return {"own_merchants": [(each.name, page_url(each)) for each in merchants]}
    merchant = merchants[0]
    return {
        "stoppers": _stoppers(merchant),
        "account_page": page_url(merchant),
        **_panels(overview, merchant),
    }


def _panels(overview: Overview, merchant: Merchant) -> dict[str, Any]:
    """The balance is above everything else, and what is of the merchant's system below it."""
    found = cockpit.of_merchant(overview.request, merchant.pk)
    shown = [each for each in found["cockpit_figures"][1:] if not each.is_nothing]
    return {
        **found,
        "cockpit_month": [each for each in shown if not each.is_technical],
        "cockpit_technical": [each for each in shown if each.is_technical],
    }


def _stoppers(merchant: Merchant) -> list[object]:
    return [step.why for step in timelines.blockers(merchant)]
