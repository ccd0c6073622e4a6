"""From a merchant's page to the pages of other apps, by name: this app knows none of them."""

from typing import ClassVar

from django.contrib.admin.utils import unquote
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action

from payments.console.model_admins import ConsoleAdmin


class WaysElsewhere(ConsoleAdmin):
    """Buttons that lead to what a merchant has in other apps."""

    ways: ClassVar[frozenset[str]] = frozenset(
        {
            *("deliveries", "failed_deliveries", "orders", "payouts", "topups", "bills"),
            *("balances", "send_test", "resend_range"),
        }
    )

    # Methods, not names of rights: those the theme looks up in the database at every start.
    def has_send_test_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Whether the operator may send test events."""
        return request.user.has_perm("webhooks.test_delivery")

    def has_resend_range_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Whether the operator may send deliveries again."""
        return request.user.has_perm("webhooks.resend_delivery")

    @action(description=_("Send test event"), icon="send", permissions=["send_test"])
    def send_test(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The page of `webhooks` that asks and sends."""
        return redirect("admin:webhooks_send_test", object_id)

    @action(description=_("Webhook deliveries"), icon="outbox")
    def deliveries(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The delivery history of the merchant."""
        return filtered("webhooks_delivery", merchant__id__exact=unquote(object_id))

    @action(description=_("Failed deliveries"), icon="error")
    def failed_deliveries(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """What the merchant's receiver never took."""
        merchant_id = unquote(object_id)
        return filtered(
            "webhooks_delivery", merchant__id__exact=merchant_id, status__exact="FAILED"
        )

    @action(description=_("Send a range again"), icon="replay", permissions=["resend_range"])
    def resend_range(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The page of `webhooks` that asks and sends."""
        return redirect("admin:webhooks_resend_range", object_id)

    @action(description=_("Orders"), icon="receipt_long")
    def orders(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The merchant's orders."""
        return filtered("collect_order", merchant__id__exact=unquote(object_id))

    @action(description=_("Payouts"), icon="send_money")
    def payouts(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The merchant's payouts."""
        return filtered("payout_payout", merchant__id__exact=unquote(object_id))

    @action(description=_("Top-ups"), icon="send_to_mobile")
    def topups(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The merchant's top-ups."""
        return filtered("topup_topup", merchant__id__exact=unquote(object_id))

    @action(description=_("Bill payments"), icon="request_quote")
    def bills(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The merchant's bill payments."""
        return filtered("bills_billpayment", merchant__id__exact=unquote(object_id))

    @action(description=_("Balances"), icon="account_balance")
    def balances(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The merchant's balance, with every movement."""
        return redirect(f"{reverse('admin:ledger_balance')}?merchant={unquote(object_id)}")


def filtered(page: str, **filters: str) -> HttpResponse:
    """A redirect to a list of another app, cut to this merchant."""
    query = "&".join(f"{name}={value}" for name, value in filters.items())
    return redirect(f"{reverse(f'admin:{page}_changelist')}?{query}")
