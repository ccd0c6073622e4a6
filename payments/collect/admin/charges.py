"""The console page of a charge: one attempt of a payer to pay an order."""

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.utils import flatten
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.collect.admin import columns, next_steps, timelines
from payments.collect.admin.labels import status_label
from payments.collect.models import Charge, Order
from payments.collect.overdue import overdue_charges
from payments.console import own_search, tenancy
from payments.console.changelist import DaysFilter
from payments.console.code_words import words_column
from payments.console.detail_page import NextStep
from payments.console.formatting import amount_column, data_lines, link_column, timestamp_column
from payments.console.model_admins import ReadOnlyAdmin
from payments.console.money_admin import FOUND_MAX
from payments.console.reason_words import failure_shown
from payments.console.timeline import TimelineLine
from payments.core import clock, jsontext
from payments.rails.admin.provider_fees import PROVIDER_FEES, ProviderFees
from payments.rails.admin.wire_references import WIRE_REFERENCES, WireReferences
from payments.rails.services import wire_references


class QueriedFilter(admin.SimpleListFilter):
    """Charges that the service still queries at the rail. One index serves this filter."""

    title = _("exceptions")
    parameter_name = "exceptions"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        return [
            ("asked", _("The rail is being asked")),
            ("overdue", _("The rail has not said for a day")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Charge]) -> QuerySet[Charge]:
        if self.value() == "overdue":
            return queryset.filter(overdue_charges(clock.now()))
        return queryset.filter(reconcile_at__isnull=False) if self.value() else queryset


@admin.register(Charge)
class ChargeAdmin(ProviderFees, WireReferences, ReadOnlyAdmin):
    empty_text = _(
        "Each time that a payer begins to pay is listed here, with the method, the trace "
        "code and why it failed."
    )
    shown_if_empty = _("Each time that a payer starts to pay, with the method and the result.")
    private = columns.CHARGE_PRIVATE
    private_fields = frozenset({"payer", "fields"})
    export_columns = columns.CHARGE
    merchant_path = "order__merchant"
    not_for_merchants = (
        frozenset(
            {
                "provider",
                "provider_shown",
                "provider_id",
                "failure_reason",
                "failure_shown",
                "exceptions",
                "accepted_terms_text",
            }
        )
        | PROVIDER_FEES
        | WIRE_REFERENCES
    )
    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"
    created = timestamp_column("created_at", _("created at"))
    expires = timestamp_column("expires_at", _("expires at"))
    order_link = link_column("order", _("order"), known_as="reference")
    order_named = link_column("order", _("order"), named="reference")
    amount_shown = amount_column("amount", _("amount due"))
    received_shown = amount_column("received", _("received"))
    provider_shown = words_column("provider", _("provider"))
    failure_shown = failure_shown
    status_label = status_label
    tab_field = "status"
    list_display = [
        "amount_shown",
        "status_label",
        "id",
        "order_named",
        "method",
        "provider_shown",
        "trace_code",
        "created",
    ]
    list_display_links = ["amount_shown", "id"]
    list_for_merchants: ClassVar[list[str]] = [
        *("amount_shown", "status_label", "order_link", "method", "received_shown"),
        *("trace_code", "created"),
    ]
    list_filter = [QueriedFilter, "status", "method", "provider", ("created_at", DaysFilter)]
    list_select_related = ["order"]
    search_fields = ["id__exact", "order__id__exact"]
    search_help_text = _("Id of the charge or the order, or trace code")
    search_help_for_merchants = _("Reference of the order, name of the payer, or trace code")
    ordering = ["-id"]
    fields = [
        ("amount_shown", "received_shown"),
        ("method", "network_shown"),
        ("provider", "provider_id"),
        "wire_references_shown",
        ("trace_code", "failure_shown"),
        ("provider_fee_shown", "provider_taxes_shown"),
        ("created", "expires"),
        ("payer_name", "payer_masked"),
        "instructions_text",
        "accepted_terms_text",
    ]
    readonly_fields = flatten(fields)  # type: ignore[arg-type]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Charge], search_term: str
    ) -> tuple[QuerySet[Charge], bool]:
        """Uses the index that fits the form of the term."""
        if not (term := search_term.strip()):
            return queryset, False
        if term.startswith("chg_"):
            return queryset.filter(pk=term), False
        if term.startswith("col_"):
            return queryset.filter(order_id=term), False
        if ours := wire_references.find_payments(term):
            return queryset.filter(pk__in=ours), False
        traced = tenancy.limit(request, Charge.objects.filter(trace_code=term), "order__merchant")
        found = set(traced.values_list("pk", flat=True)[:FOUND_MAX])
        orders = own_search.keys(request, Order, term)
        found.update(Charge.objects.filter(order__in=orders).values_list("pk", flat=True))
        return queryset.filter(pk__in=found), False

    def timeline_lines(self, row: Charge) -> list[TimelineLine]:
        return timelines.charge_lines(row)

    def next_step(self, row: Charge) -> NextStep:
        return next_steps.of_charge(row)

    @display(description=_("network"))
    def network_shown(self, charge: Charge) -> str:
        return f"{charge.currency}, {charge.network_name}" if charge.network_name else "-"

    @display(description=_("payer"))
    def payer_name(self, charge: Charge) -> str:
        return columns.payer_part(charge, "name") or "-"

    @display(description=_("document, e-mail, phone"))
    def payer_masked(self, charge: Charge) -> str:
        parts = [
            mask(part)
            for name, mask in columns.PAYER_MASKS.items()
            if (part := columns.payer_part(charge, name))
        ]
        return " · ".join(parts) or "-"

    @display(description=_("accepted documents"))
    def accepted_terms_text(self, charge: Charge) -> str:
        """When, from which address, and which: an operator proves the acceptance by it."""
        if not (accepted := charge.accepted_terms):
            return "-"
        urls = [document["url"] for document in accepted["documents"]]
        return " · ".join([accepted["at"], accepted["ip"] or "-", *urls])

    @display(description=_("instructions"))
    def instructions_text(self, charge: Charge) -> str | SafeString:
        return data_lines(jsontext.dumps(charge.instructions))
