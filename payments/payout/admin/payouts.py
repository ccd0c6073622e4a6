"""Console pages of payouts: the list with its queue of exceptions, and one payout with its story.

All of it to look at: payouts change by what rails do, and by the acts of acts.py.
"""

from typing import Any

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import unquote
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.decorators import action, display

from merchants.models import Merchant
from payments.core import audit, clock
from payments.core.console import DaysFilter, actor, amount, badge, link, moment
from payments.core.text import normalised_document
from payments.payout.admin import export, story
from payments.payout.admin.acts import PayoutActs
from payments.payout.models import Payout

FOUND_MAX = 1000
LABELS = {
    Payout.Status.PENDING: "info",
    Payout.Status.PROCESSING: "warning",
    Payout.Status.COMPLETED: "success",
    Payout.Status.FAILED: "danger",
    Payout.Status.REFUNDED: "danger",
}


class ExceptionsFilter(admin.SimpleListFilter):
    """The queue of what waits for people."""

    title = _("exceptions")
    parameter_name = "exceptions"
    WAITING = {
        "all": Q(needs_operator=True) | Q(needs_approval=True),
        "operator": Q(needs_operator=True),
        "approval": Q(needs_approval=True),
    }

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """One index serves the three."""
        return [
            ("all", _("Waiting for people")),
            ("operator", _("In doubt")),
            ("approval", _("Waiting for approval")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Payout]) -> QuerySet[Payout]:
        """What is not one of the three filters nothing."""
        waiting = self.WAITING.get(self.value() or "")
        return queryset if waiting is None else queryset.filter(waiting)


@admin.register(Payout)
class PayoutAdmin(PayoutActs):
    """Payouts of all merchants."""

    created = moment("created_at", _("created at"))
    sent = moment("sent_at", _("handed to the rail at"))
    completed = moment("completed_at", _("completed at"))
    next_action = moment("next_action_at", _("next question to the rail"))
    list_display = [
        *("created", "id", "merchant_link", "amount_shown", "status_label", "waits"),
        *("network", "recipient_name", "document_masked", "destination_masked"),
    ]
    list_display_links = ["created", "id"]
    list_filter = [
        ExceptionsFilter,
        "status",
        "network",
        "currency",
        ("merchant", AutocompleteSelectFilter),
        ("created_at", DaysFilter),
    ]
    search_fields = ["id__startswith"]
    search_help_text = _("Id, idempotency key, reference at the provider, or document")
    fieldsets = [
        (
            None,
            {
                "fields": [
                    ("id", "status_label"),
                    ("merchant_link", "waits"),
                    ("amount_shown", "fee_shown"),
                    ("debit_shown", "rate_shown"),
                    ("created", "completed"),
                    ("idempotency_key", "requested_by"),
                    ("description", "failure_reason"),
                ]
            },
        ),
        (
            _("Beneficiary"),
            {"fields": [("recipient_name", "document"), ("network", "destination")]},
        ),
        (
            _("Rail"),
            {
                "fields": [
                    ("provider", "provider_reference"),
                    ("provider_id", "attempts"),
                    ("sent", "next_action"),
                ]
            },
        ),
    ]
    readonly_fields = [
        *("id", "status_label", "merchant_link", "waits", "amount_shown", "fee_shown"),
        *("debit_shown", "rate_shown", "created", "completed", "idempotency_key"),
        *("requested_by", "description", "failure_reason", "recipient_name", "document"),
        *("network", "destination", "provider", "provider_reference", "provider_id"),
        *("attempts", "sent", "next_action"),
    ]
    change_form_outer_after_template = "admin/tables.html"
    actions_list = ["export"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Payout]:
        """Without the merchant's webhook secret."""
        payouts: QuerySet[Payout] = super().get_queryset(request)
        return payouts.select_related("merchant", "bank").defer("merchant__webhook_secret")

    def get_ordering(self, request: HttpRequest) -> list[str]:
        """Newest first, by the index that serves the filter; the queue: oldest first."""
        if request.GET.get(ExceptionsFilter.parameter_name) in ExceptionsFilter.WAITING:
            return ["created_at", "id"]
        if "merchant__id__exact" in request.GET:
            return ["-created_at", "-id"]
        return ["-id"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Payout], search_term: str
    ) -> tuple[QuerySet[Payout], bool]:
        """Each kind of term by its own index: one OR over all of them would read the table."""
        term = search_term.strip()
        if not term:
            return queryset, False
        if term.startswith("por_"):
            return queryset.filter(provider_reference=term), False
        if term.startswith("po_"):
            # A range instead of LIKE: a prepared statement can use the index for it.
            return queryset.filter(pk__gte=term, pk__lt=term + "{"), False
        # The index of the keys begins with the merchant: a few look-ups instead of a whole scan.
        merchants = Merchant.objects.values("pk")
        by_key = Payout.objects.filter(merchant__in=merchants, idempotency_key=term)
        found = set(by_key.values_list("pk", flat=True)[:FOUND_MAX])
        if document := normalised_document(term):
            by_document = Payout.objects.filter(recipient_document=document)
            found.update(by_document.values_list("pk", flat=True)[:FOUND_MAX])
        return queryset.filter(pk__in=found), False

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The payout, and below it all that happened."""
        payout = self.get_object(request, unquote(object_id))
        allowed = payout is not None and self.has_view_permission(request)
        context = {"tables": story.story(payout)} if allowed else {}
        return super().change_view(
            request, object_id, form_url, {**(extra_context or {}), **context}
        )

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The export's button keeps the filters that are on."""
        response: HttpResponse = super().changelist_view(request, extra_context)
        for button in (getattr(response, "context_data", None) or {}).get("actions_list", ()):
            button["path"] += f"?{request.GET.urlencode()}"
        return response

    @action(description=_("Export as CSV"), icon="download", permissions=["view"])
    def export(self, request: HttpRequest) -> HttpResponseBase:
        """The filtered list, all of it. Private numbers are masked, as in the list."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if request.method != "GET":
            return HttpResponseNotAllowed(["GET"])
        try:
            payouts = self.get_changelist_instance(request).get_queryset(request)
        except IncorrectLookupParameters:
            return redirect("admin:payout_payout_changelist")
        operator = User.objects.get(username=actor(request))
        filters = request.GET.dict()
        audit.record(
            actor=actor(request), action="payouts.exported", subject=operator, filters=filters
        )
        return StreamingHttpResponse(
            export.lines(payouts),
            content_type="text/csv; charset=utf-8",
            headers={
                "Content-Disposition": f'attachment; filename="payouts-{clock.now():%Y-%m-%d}.csv"'
            },
        )

    @display(description=_("merchant"))
    def merchant_link(self, payout: Payout) -> str | SafeString:
        """Who pays."""
        return link(payout.merchant)

    @display(description=_("amount"), ordering="amount")
    def amount_shown(self, payout: Payout) -> str:
        """What the beneficiary gets."""
        return amount(payout.amount, "COP")

    @display(description=_("fee"))
    def fee_shown(self, payout: Payout) -> str:
        """On top, in pesos."""
        return amount(payout.fee_amount, "COP")

    @display(description=_("debit"))
    def debit_shown(self, payout: Payout) -> str:
        """What leaves the merchant's balance."""
        return amount(payout.debit, payout.currency)

    @display(description=_("rate and spread"))
    def rate_shown(self, payout: Payout) -> str:
        """Fixed at creation, for payouts from USDT."""
        if payout.rate is None:
            return "-"
        return f"{amount(payout.rate, 'COP')} · {amount((payout.spread or 0) * 100, '%')}"

    @display(description=_("status"), ordering="status")
    def status_label(self, payout: Payout) -> SafeString:
        """As a badge."""
        return badge(payout.get_status_display(), LABELS[Payout.Status(payout.status)])

    @display(description=_("waits for"))
    def waits(self, payout: Payout) -> str | SafeString:
        """For which people, if any."""
        if payout.needs_approval:
            return badge(_("Approval"), "warning")
        return badge(_("Operator"), "danger") if payout.needs_operator else "-"

    @display(description=_("document"))
    def document_masked(self, payout: Payout) -> str:
        """See story.masked."""
        return story.document(payout)

    @display(description=_("destination"))
    def destination_masked(self, payout: Payout) -> str:
        """See story.masked."""
        return story.destination(payout)

    @display(description=_("document"))
    def document(self, payout: Payout) -> str:
        """Whole, as the merchant sent it."""
        return f"{payout.recipient_doc_type} {payout.recipient_doc_number}"

    @display(description=_("destination"))
    def destination(self, payout: Payout) -> str:
        """Whole: what an operator asks the rail about."""
        if payout.bank is not None:
            kind = payout.get_account_type_display()
            return f"{payout.bank.name} · {kind} · {payout.account_number}"
        return f"{payout.get_key_type_display()} · {payout.key_value}"
