"""The console: one AdminSite with its content security policy, navigation and first page.

Pages of the records are in each app's admin.py; what they share is in payments.core.console.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from csp.decorators import csp
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from unfold.sites import UnfoldAdminSite

from payments.api import limits
from payments.bills.models import BillPayment
from payments.collect.models import Charge, Dispute, Refund, UnmatchedFunds
from payments.core import audit, clock
from payments.core.console import COUNT_CAP, actor
from payments.core.models import Heartbeat
from payments.payout.models import Payout
from payments.topup.models import TopUp
from webhooks.models import Delivery, Status

View = Callable[..., HttpResponse]
# Unfold runs inline script: only the console's own answers carry the relaxed policy.
relaxed: Any = csp(settings.ADMIN_CONTENT_SECURITY_POLICY)


class PasarelaAdminSite(UnfoldAdminSite):
    """Every console view passes `admin_view`, except the login, which anyone may open."""

    enable_nav_sidebar = True
    index_title = _("Overview")

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)
        # Nothing is deleted, least of all in bulk.
        self.disable_action("delete_selected")

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Django's checks (staff, CSRF, no caching), and the console's policy on the answer."""
        wrapped: View = relaxed(super().admin_view(view, cacheable))
        return wrapped

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The login page under the console's policy. Attempts are limited per address."""
        if request.method == "POST":
            try:
                # Before the password is looked at: a guess past the limit must not count.
                key = f"console:{limits.client_address(request)}"
                limits.count(request, scope="failed_credentials", key=key)
            except limits.RateLimitExceeded as error:
                return HttpResponse(
                    _("Too many attempts. Wait a minute."),
                    status=error.status,
                    headers=error.headers,
                    content_type="text/plain; charset=utf-8",
                )
        view: View = relaxed(super().login)
        return view(request, extra_context)

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """An operator's own password; the change leaves an audit row."""
        response: HttpResponse = super().password_change(request, extra_context)
        if request.method == "POST" and response.status_code == 302:
            operator = User.objects.get(pk=request.user.pk)
            audit.record(actor=actor(request), action="operator.password_changed", subject=operator)
        return response


# (heading, [(label, icon, model as app.Model in lower case)])
SECTIONS: list[tuple[Any, list[tuple[Any, str, str]]]] = [
    (
        _("Collections"),
        [
            (_("Orders"), "receipt_long", "collect.order"),
            (_("Charges"), "contactless", "collect.charge"),
            (_("Refunds"), "undo", "collect.refund"),
            (_("Disputes"), "gavel", "collect.dispute"),
            (_("Unmatched funds"), "help_center", "collect.unmatchedfunds"),
        ],
    ),
    (
        _("Payouts"),
        [
            (_("Payouts"), "send_money", "payout.payout"),
            (_("Payout methods"), "tune", "payout.payoutmethod"),
            (_("Banks"), "assured_workload", "payout.bank"),
            (_("Payout switch"), "power_settings_new", "payout.payoutswitch"),
        ],
    ),
    (
        _("Top-ups"),
        [
            (_("Top-ups"), "send_to_mobile", "topup.topup"),
            (_("Mobile operators"), "cell_tower", "topup.operator"),
            (_("Terms of top-ups"), "tune", "topup.topupterms"),
        ],
    ),
    (
        _("Bill payments"),
        [
            (_("Bill payments"), "request_quote", "bills.billpayment"),
            (_("Agreements"), "handshake", "bills.agreement"),
            (_("Terms of bill payments"), "tune", "bills.billterms"),
        ],
    ),
    (
        _("Webhooks"),
        [
            (_("Deliveries"), "outbox", "webhooks.delivery"),
            (_("Events"), "bolt", "webhooks.event"),
        ],
    ),
    (
        _("Settlements"),
        [
            (_("Settlements"), "event_available", "settlement.settlement"),
            (_("Tax rules"), "percent", "settlement.taxrule"),
        ],
    ),
    (
        _("Ledger"),
        [
            (_("Accounts"), "account_balance", "ledger.account"),
            (_("Entries"), "menu_book", "ledger.entry"),
            (_("Exchange rates"), "currency_exchange", "rates.exchangerate"),
        ],
    ),
    (
        _("Merchants"),
        [
            (_("Merchants"), "storefront", "merchants.merchant"),
            (_("API keys"), "key", "merchants.apikey"),
        ],
    ),
    (
        _("Control"),
        [
            (_("Audit log"), "policy", "core.auditentry"),
            (_("Transitions"), "swap_horiz", "core.transition"),
            (_("Operators"), "badge", "auth.user"),
            (_("Groups"), "groups", "auth.group"),
        ],
    ),
]


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """The side bar: what this operator may see."""
    groups = []
    for heading, entries in SECTIONS:
        items = []
        for label, icon, model in entries:
            app_label, model_name = model.split(".")
            if request.user.has_perm(f"{app_label}.view_{model_name}"):
                url = reverse(f"admin:{app_label}_{model_name}_changelist")
                items.append({"title": label, "icon": icon, "link": url})
        if items:
            groups.append({"title": heading, "separator": True, "items": items})
    return groups


def favicon(request: HttpRequest) -> str:
    """Found by its name, since production puts a hash into it."""
    return static("admin/pasarela.svg")


def environment(request: HttpRequest) -> list[Any] | None:
    """The badge beside the title, so that nobody mistakes play money for real money."""
    return [_("Sandbox"), "warning"] if settings.SANDBOX else None


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """The first page: what waits for an operator, and whether the workers are alive."""
    return {**context, "cards": _cards(request), "workers": _workers()}


def _cards(request: HttpRequest) -> list[dict[str, Any]]:
    """Each is one query on an index; only what this operator may see."""
    day_ago = clock.now() - timedelta(days=1)
    cards = [
        (
            "collect.view_unmatchedfunds",
            _("Unmatched funds to decide"),
            lambda: UnmatchedFunds.objects.filter(status=UnmatchedFunds.Status.OPEN),
            "admin:collect_unmatchedfunds_changelist",
            "status__exact=OPEN",
        ),
        (
            "webhooks.view_delivery",
            _("Webhooks that failed for good, last 24 hours"),
            lambda: Delivery.objects.filter(status=Status.FAILED, created_at__gte=day_ago),
            "admin:webhooks_delivery_changelist",
            "status__exact=FAILED",
        ),
        (
            "collect.view_charge",
            _("Charges whose outcome the rail is being asked for"),
            lambda: Charge.objects.filter(reconcile_at__isnull=False),
            "admin:collect_charge_changelist",
            "",
        ),
        (
            "collect.view_refund",
            _("Refunds that wait for a decision"),
            lambda: Refund.objects.filter(needs_approval=True),
            "admin:collect_refund_changelist",
            "exceptions=approval",
        ),
        (
            "collect.view_refund",
            _("Refunds in doubt that wait for an operator"),
            lambda: Refund.objects.filter(needs_operator=True),
            "admin:collect_refund_changelist",
            "exceptions=operator",
        ),
        (
            "collect.view_dispute",
            _("Disputes that are open"),
            lambda: Dispute.objects.filter(status=Dispute.Status.OPEN),
            "admin:collect_dispute_changelist",
            "status__exact=OPEN",
        ),
        (
            "payout.view_payout",
            _("Payouts that wait for approval"),
            lambda: Payout.objects.filter(needs_approval=True),
            "admin:payout_payout_changelist",
            "exceptions=approval",
        ),
        (
            "payout.view_payout",
            _("Payouts in doubt that wait for an operator"),
            lambda: Payout.objects.filter(needs_operator=True),
            "admin:payout_payout_changelist",
            "exceptions=operator",
        ),
        (
            "topup.view_topup",
            _("Top-ups in doubt that wait for an operator"),
            lambda: TopUp.objects.filter(needs_operator=True),
            "admin:topup_topup_changelist",
            "exceptions=operator",
        ),
        (
            "bills.view_billpayment",
            _("Bill payments in doubt that wait for an operator"),
            lambda: BillPayment.objects.filter(needs_operator=True),
            "admin:bills_billpayment_changelist",
            "exceptions=operator",
        ),
    ]
    return [
        {
            "label": label,
            "value": rows().order_by()[:COUNT_CAP].count(),
            "link": f"{reverse(page)}?{query}",
        }
        for permission, label, rows, page, query in cards
        if request.user.has_perm(permission)
    ]


def _workers() -> list[dict[str, Any]]:
    """When each worker was last heard."""
    limit = timedelta(seconds=settings.HEARTBEAT_MAX_AGE_SECONDS)
    return [
        {"name": beat.name, "at": beat.at, "alive": clock.now() - beat.at < limit}
        for beat in Heartbeat.objects.order_by("name")
    ]
