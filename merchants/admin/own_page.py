"""The page of an account as the people of that one merchant see it: "Your business".

It has no list above it, and nothing that other pages of theirs show better: figures, lists, keys.
"""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from merchants.admin import own_settings
from merchants.admin.related_links import LINKED_LISTS
from merchants.models import Merchant
from payments.console import tenancy
from payments.console.buttons import button, without
from payments.console.cockpit import Subject, open_steps
from payments.console.registry import DEVELOPERS, MERCHANT_GROUPS, FirstStep
from payments.core import clock

TITLE = _("Your business")
WEBHOOKS = _("Webhooks")
# The menu of the console has these lists.
_LISTS = {*LINKED_LISTS, "balances", "deliveries", "failed_deliveries", "webhook_endpoints"}


def is_own(request: HttpRequest) -> bool:
    return tenancy.is_merchant_user(request) and len(tenancy.merchants(request)) == 1


def first_steps(merchant: Merchant) -> list[FirstStep]:
    """Those of the first page; none for operators."""
    request = tenancy.current_request()
    if request is None or not tenancy.is_merchant_user(request):
        return []
    return open_steps(Subject(request=request, merchant_id=merchant.pk, now=clock.now()))


def is_needed(action_name: str) -> bool:
    return action_name.removeprefix("merchants_merchant_") not in _LISTS


def arrange(page: Any, request: HttpRequest, context: dict[str, Any], merchant: Merchant) -> None:
    """Title, settings and buttons. Keys are issued on their own page."""
    context["own_settings"] = own_settings.parts(page, request, merchant)
    merchant.console_title = TITLE  # type: ignore[attr-defined]
    merchant.console_is_alone = True  # type: ignore[attr-defined]
    context |= {"show_back_button": "", "is_alone": True}
    buttons = context.get("actions_detail") or ()
    paths = [one["path"] for one in buttons if str(one.get("path")).endswith("/new_key/")]
    kept = without(buttons, paths)
    keys = button(gettext("API keys"), "key", reverse("admin:merchants_apikey_changelist"))
    for_developers = str(MERCHANT_GROUPS[DEVELOPERS][1])
    context["actions_detail"] = [
        {**one, "title": for_developers, "icon": "code", "items": [keys, *one["items"]]}
        if one.get("items") and str(one["title"]) == str(WEBHOOKS)
        else one
        for one in kept
    ]
