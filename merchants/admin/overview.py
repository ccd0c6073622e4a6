"""The first page of a merchant's people: what stops a sale, and the panels of the account."""

from typing import Any

from django.db.models import Q
from django.utils.translation import gettext

from merchants.admin import timelines
from merchants.models import Merchant
from merchants.team import access_requests
from payments.console import cockpit, roles
from payments.console.formatting import page_url
from payments.console.overview import Overview
from payments.console.registry import Task


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
        "waiting_roles": _waiting_roles(overview, merchant),
        "own_tasks": _keys_to_collect(overview, merchant),
        **_panels(overview, merchant),
    }


def _waiting_roles(overview: Overview, merchant: Merchant) -> list[str]:
    """A person whose role has no effect yet, and the one who asked for it, read that."""
    name, found = overview.request.user.get_username(), []
    role = roles.LABELS[roles.MERCHANT_APPROVER]
    rows = access_requests.waiting_approvers(overview.now).filter(merchant=merchant)
    for row in rows.filter(Q(user__username=name) | Q(requested_by=name)).select_related("user"):
        text = gettext("Your role “%(role)s” counts once a second person has agreed.")
        if row.person.get_username() != name:
            text = gettext("The role “%(role)s” of %(person)s waits for a second person.")
        person = row.person.get_full_name() or row.person.get_username()
        found.append(text % {"role": role, "person": person})
    return found


def _keys_to_collect(overview: Overview, merchant: Merchant) -> list[Task]:
    """A key that was approved waits for the person who asked for it, and for no other."""
    user = overview.request.user
    if not user.has_perm("team.collect_accessrequest"):
        return []
    rows = access_requests.to_collect(user.get_username(), overview.now).filter(merchant=merchant)
    return [
        Task(
            what=gettext("Your key was approved: collect it"),
            detail=row.label,
            link=page_url(row),
        )
        for row in rows
    ]


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
