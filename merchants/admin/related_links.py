"""Links from a merchant's page to pages of other apps, by their names: this app imports none."""

from typing import ClassVar
from urllib.parse import urlencode

from django.contrib.admin.utils import unquote
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action

from payments.console.model_admins import ConsoleAdmin


class RelatedLinks(ConsoleAdmin):
    link_actions: ClassVar[frozenset[str]] = frozenset(
        {
            "deliveries",
            "failed_deliveries",
            "orders",
            "payouts",
            "topups",
            "bills",
            "balances",
            "send_test",
            "resend_range",
        }
    )

    # Methods: the theme would look names of rights up in the database at every start.
    def has_send_test_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return request.user.has_perm("webhooks.test_delivery")

    def has_resend_range_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return request.user.has_perm("webhooks.resend_delivery")

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

    @action(description=_("Orders"), icon="receipt_long")
    def orders(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return _redirect_to_list("collect_order", object_id)

    @action(description=_("Payouts"), icon="send_money")
    def payouts(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return _redirect_to_list("payout_payout", object_id)

    @action(description=_("Top-ups"), icon="send_to_mobile")
    def topups(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return _redirect_to_list("topup_topup", object_id)

    @action(description=_("Bill payments"), icon="request_quote")
    def bills(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return _redirect_to_list("bills_billpayment", object_id)

    @action(description=_("Balances"), icon="account_balance")
    def balances(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return redirect(f"{reverse('admin:ledger_balance')}?merchant={unquote(object_id)}")


def _redirect_to_list(page: str, object_id: str, **filters: str) -> HttpResponse:
    query = urlencode({"merchant__id__exact": unquote(object_id), **filters})
    return redirect(f"{reverse(f'admin:{page}_changelist')}?{query}")
