"""The page of a product's payments: the list with its queue of exceptions, and one with its story.

A product's page inherits from OutgoingAdmin and adds what it alone has. All of it to look at:
payments change by what rails do, and by the acts of acts.py.
"""

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin import AdminSite
from django.contrib.admin.utils import flatten_fieldsets
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from merchants.models import Merchant
from payments.console import tenancy
from payments.console.detail_page import NextStep
from payments.console.formatting import amount, badge, timestamp_column
from payments.console.money_admin import FOUND_MAX, WHOSE_AND_WHEN, by_id
from payments.console.timeline import TimelineLine
from payments.outgoing.admin.actions import OutgoingActions, amount_of, currency_of
from payments.outgoing.admin.next_steps import of_outgoing
from payments.outgoing.admin.timelines import add_product, timeline_lines
from payments.outgoing.models import OutgoingPayment, OutgoingStatus

EXCEPTIONS = "exceptions"
# Fieldsets as Django has them.
Section = tuple[Any, dict[str, Any]]


class ExceptionsFilter(admin.SimpleListFilter):
    """The queue of what waits for people. One index of the product's table serves it."""

    title = _("exceptions")
    parameter_name = EXCEPTIONS
    waiting: ClassVar[dict[str, tuple[Any, Q]]] = {
        "operator": (_("In doubt"), Q(needs_operator=True))
    }

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        # What is in doubt is work of operators.
        hidden = () if not tenancy.is_merchant_user(request) else ("all", "operator")
        choices = [(key, label) for key, (label, _rows) in self.waiting.items()]
        return [choice for choice in choices if choice[0] not in hidden]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """What is not offered to this person filters nothing."""
        value = self.value()
        if value not in dict(self.lookup_choices):
            return queryset
        _label, rows = self.waiting[str(value)]
        return queryset.filter(rows)


class OutgoingAdmin(OutgoingActions):
    """Payments of all merchants. Every product sets `engine` and its columns."""

    not_for_merchants = frozenset(
        {
            "waits",
            "failure_reason",
            "requested_by",
            "provider",
            "provider_reference",
            "attempts_made",
            "sent",
            "next_action",
            "code_at_rail",
            "code_record",
        }
    )
    exceptions: ClassVar[type[ExceptionsFilter]] = ExceptionsFilter
    # Facts of the product in the first section, and sections of its own below it.
    own_facts: ClassVar[list[Any]] = []
    own_sections: ClassVar[list[Section]] = []
    has_timeline = True
    labels = {
        OutgoingStatus.PENDING: "info",
        OutgoingStatus.PROCESSING: "warning",
        OutgoingStatus.COMPLETED: "success",
        OutgoingStatus.FAILED: "danger",
        OutgoingStatus.REFUNDED: "danger",
    }
    created = timestamp_column("created_at", _("created at"))
    sent = timestamp_column("sent_at", _("handed to the rail at"))
    completed = timestamp_column("completed_at", _("completed at"))
    next_action = timestamp_column("next_action_at", _("next question to the rail"))
    list_display = ["created", "id", "merchant_link", "amount_shown", "status_label", "waits"]
    list_display_links = ["created", "id"]
    list_filter = ["status", *WHOSE_AND_WHEN]
    search_help_text = _("Id, idempotency key, or reference at the provider")

    def __init__(self, model: type[OutgoingPayment], admin_site: AdminSite) -> None:
        add_product(str(model._meta.model_name))
        super().__init__(model, admin_site)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """What is asked about most stands first."""
        facts = [
            *(("id", "status_label"), ("merchant_link", "waits"), ("amount_shown", "fee_shown")),
            *(("debit_shown", "failure_reason"), ("created", "completed")),
            ("idempotency_key", "requested_by"),
            *self.own_facts,
        ]
        # Ids need a line of their own.
        rail = [
            *(("provider", "attempts_made"), "provider_reference", "provider_id", "authorization"),
            ("sent", "next_action"),
        ]
        sections = [
            (None, {"fields": facts}),
            *self.own_sections,
            (_("Rail"), {"fields": rail}),
        ]
        return self.visible_fields(request, sections)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return list(flatten_fieldsets(self.get_fieldsets(request, obj)))

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        filters = [self.exceptions, *self.list_filter]
        return self.own_filters(request, filters) if tenancy.is_merchant_user(request) else filters

    def get_ordering(self, request: HttpRequest) -> list[str]:
        """The queue: oldest first."""
        if request.GET.get(EXCEPTIONS) in self.exceptions.waiting:
            return ["created_at", "id"]
        return super().get_ordering(request)

    def related_tables(self, row: OutgoingPayment) -> list[dict[str, Any]]:
        """Tables beside the timeline: none that all products share."""
        return []

    def timeline_lines(self, row: OutgoingPayment) -> list[TimelineLine]:
        return timeline_lines(row)

    def next_step(self, row: OutgoingPayment) -> NextStep:
        return of_outgoing(row)

    # Search.

    def search_by(self, term: str) -> QuerySet[Any] | None:
        """What the product alone is searched by, along an index of its own."""
        return None

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Each kind of term by its own index: one OR over all of them would read the table."""
        term = search_term.strip()
        if not term:
            return queryset, False
        if term.startswith(f"{self.model.REFERENCE_PREFIX}_"):
            return queryset.filter(provider_reference=term), False
        if term.startswith(f"{self.model.ID_PREFIX}_"):
            return by_id(queryset, term), False
        # The index of the keys begins with the merchant: a few look-ups instead of a whole scan.
        merchants = tenancy.limit(request, Merchant.objects.values("pk"), "pk")
        rows = self.model._default_manager
        found: set[str] = set()
        for way in (
            rows.filter(merchant__in=merchants, idempotency_key=term),
            self.search_by(term),
        ):
            if way is not None:
                own = tenancy.limit(request, way, "merchant")
                found.update(own.values_list("pk", flat=True)[:FOUND_MAX])
        return queryset.filter(pk__in=found), False

    # Columns.

    @display(description=_("amount"), ordering="amount")
    def amount_shown(self, payment: OutgoingPayment) -> str:
        return amount_of(payment)

    @display(description=_("fee"))
    def fee_shown(self, payment: OutgoingPayment) -> str:
        return amount(payment.fee_amount, currency_of(payment))

    @display(description=_("debit"))
    def debit_shown(self, payment: OutgoingPayment) -> str:
        """What leaves the merchant's balance."""
        return amount(payment.debit, payment.currency)

    @display(description=_("attempts"))
    def attempts_made(self, payment: OutgoingPayment) -> str:
        """Calls and questions to the rail."""
        return str(payment.attempts)

    @display(description=_("waits for"))
    def waits(self, payment: Any) -> str | SafeString:
        """For which people, if any."""
        return badge(_("Operator"), "danger") if payment.needs_operator else "-"
