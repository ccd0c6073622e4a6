"""Links from a merchant's page to pages of other apps.

The links use names, because this app imports no other app.
"""

from collections.abc import Callable
from typing import ClassVar, cast
from urllib.parse import urlencode

from django.contrib.admin.utils import quote, unquote
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action

from payments.console import registry
from payments.console.model_admins import ConsoleAdmin

# Keyed by the name in the link's URL. Apps declare these entries of the side bar as pages of a
# merchant.
LINKED_LISTS = {
    entry.merchant_link: entry
    for console in registry.declared().values()
    for section in console.sections
    for entry in section.entries
    if entry.merchant_link
}


class RelatedLinks(ConsoleAdmin):
    link_actions: ClassVar[frozenset[str]] = frozenset(
        {
            "deliveries",
            "failed_deliveries",
            *LINKED_LISTS,
            "balances",
            "send_test",
            "resend_range",
            "webhook_endpoints",
            "rotate_secret",
        }
    )

    # These are methods, because the theme would query rights by name in the database at every
    # start.
    def has_send_test_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return request.user.has_perm("webhooks.test_delivery")

    def has_resend_range_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return request.user.has_perm("webhooks.resend_delivery")

    def has_rotate_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return request.user.has_perm("merchants.regenerate_merchant")

    @action(description=_("Webhook endpoints"), icon="lan")
    def webhook_endpoints(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return _redirect_to_list("webhooks_endpoint", object_id)

    @action(
        description=_("Change the secret without losing events"),
        icon="autorenew",
        permissions=["rotate"],
    )
    def rotate_secret(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The URL of the account is an endpoint whose id is made of the merchant's."""
        merchant = self.get_record(request, object_id)
        endpoint_id = f"whe_{merchant.pk.removeprefix('mer_')}"
        return redirect("admin:webhooks_endpoint_rotate_secret", quote(endpoint_id))

    @action(description=_("Send test event"), icon="send", permissions=["send_test"])
    def send_test(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return redirect("admin:webhooks_send_test", object_id)

    @action(description=_("Webhook deliveries"), icon="outbox")
    def deliveries(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return _redirect_to_list("webhooks_delivery", object_id)

    @action(description=_("Failed deliveries"), icon="error")
    def failed_deliveries(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return _redirect_to_list("webhooks_delivery", object_id, status__exact="FAILED")

    @action(description=_("Send a range again"), icon="replay", permissions=["resend_range"])
    def resend_range(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return redirect("admin:webhooks_resend_range", object_id)

    @action(description=_("Balances"), icon="account_balance")
    def balances(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return redirect(f"{reverse('admin:ledger_balance')}?merchant={unquote(object_id)}")


def _link_to(entry: registry.Entry) -> Callable[..., HttpResponse]:
    @action(description=entry.label, icon=entry.icon)
    def link(self: RelatedLinks, request: HttpRequest, object_id: str) -> HttpResponse:
        return _redirect_to_list(entry.model.replace(".", "_"), object_id)

    return cast(Callable[..., HttpResponse], link)


for _name, _entry in LINKED_LISTS.items():
    setattr(RelatedLinks, _name, _link_to(_entry))


def _redirect_to_list(page: str, object_id: str, **filters: str) -> HttpResponse:
    query = urlencode({"merchant__id__exact": unquote(object_id), **filters})
    return redirect(f"{reverse(f'admin:{page}_changelist')}?{query}")
