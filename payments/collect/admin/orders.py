"""The console page of an order, with its timeline."""

from collections.abc import Iterable
from itertools import chain
from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import flatten_fieldsets
from django.db.models import Prefetch, Q, QuerySet, prefetch_related_objects
from django.http import HttpRequest
from django.utils.functional import lazy
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.collect.admin import columns, next_steps, offered_ways, timelines
from payments.collect.admin.analytics import AnalyticsPage
from payments.collect.admin.labels import ORDER_LABELS
from payments.collect.admin.order_actions import OrderActions
from payments.collect.admin.tables import tables
from payments.collect.models import Charge, Order, Refund
from payments.console import own_search, registry, tenancy
from payments.console.cells import copyable
from payments.console.detail_page import NextStep, nit_warnings
from payments.console.fieldsets import technical
from payments.console.formatting import (
    amount,
    amount_column,
    badge,
    data_lines,
    link_column,
    timestamp_column,
)
from payments.console.money_admin import FOUND_MAX, WHOSE_AND_WHEN, MoneyAdmin, by_id
from payments.console.record_names import record_link
from payments.console.timeline import TimelineLine
from payments.core import masking
from payments.core.ids import is_id
from payments.core.text import normalised_document

beginning_of_reference = registry.begins("reference")
GOING_BACK = (Refund.Status.PENDING, Refund.Status.PROCESSING)


def _you_receive() -> str:
    is_own = tenancy.current_user_is_merchant()
    return gettext("you receive") if is_own else gettext("the merchant receives")


YOU_RECEIVE = lazy(_you_receive, str)()


class LinkFilter(admin.SimpleListFilter):
    """The orders of a payment link, to which the link's page leads. Hidden without one."""

    title = _("payment link")
    parameter_name = "link"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        link = request.GET.get(self.parameter_name, "")
        return [(link, link)] if is_id(link, "lnk") else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Order]) -> QuerySet[Order]:
        return queryset.filter(link_id=self.value()) if self.value() else queryset


@admin.register(Order)
class OrderAdmin(AnalyticsPage, OrderActions, MoneyAdmin):
    empty_text = _(
        "Each sale is an order. The first one appears when a person pays one of your "
        "payment links, or when your shop creates it over the API."
    )
    shown_if_empty = _(
        "Each sale is an order. The first one comes when a merchant makes one over the API, or "
        "when a payer pays one of its links."
    )
    private = (
        (_("document"), lambda row: " ".join(columns.document_of(row))),
        (_("e-mail"), lambda row: row.customer_email),
        (_("phone"), lambda row: row.customer_phone),
    )
    private_fields = frozenset(
        {"customer_doc_number", "customer_document", "customer_email", "customer_phone"}
    )
    export_columns = columns.ORDER
    merchant_path = "merchant"
    merchant_pages = MoneyAdmin.merchant_pages | {"analytics"}
    merchant_actions = frozenset({"refund_order"})
    has_timeline = True
    labels = ORDER_LABELS
    created = timestamp_column("created_at", _("created at"))
    expires = timestamp_column("expires_at", _("expires at"))
    paid = timestamp_column("paid_at", _("paid at"))
    amount_shown = amount_column("amount", _("amount"), is_sortable=True)
    retry_link = link_column("retry_of", _("repeats the refused order"))
    list_display = [
        "amount_shown",
        "status_label",
        "reference",
        "merchant_link",
        "selected_method",
        "customer_name",
        "document_masked",
        "created",
    ]
    list_display_links = ["amount_shown", "reference"]
    list_filter = ["status", "selected_method", "currency", *WHOSE_AND_WHEN, LinkFilter]
    search_help_text = _("Id, beginning of the reference, document, or trace code")
    search_help_for_merchants = _("Reference or its beginning, name of the payer, or document")
    fieldsets = [
        (
            None,
            {
                "fields": [
                    ("total_shown", "fee_shown"),
                    ("net_shown", "refunded_shown"),
                    "description",
                    ("selected_method", "methods_shown"),
                    ("paid", "expires"),
                    ("retry_link", "seller_link"),
                    "metadata_shown",
                    "pay_link",
                ]
            },
        ),
        (_("Customer"), {"fields": [("customer_name", "document_shown"), "email_masked"]}),
        technical(_("Technical detail"), ["return_link"]),
    ]
    readonly_fields = flatten_fieldsets(fieldsets)  # type: ignore[arg-type]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Order], search_term: str
    ) -> tuple[QuerySet[Order], bool]:
        """Each kind of term has its own index.

        One OR over all of them would read the whole table.
        """
        term = search_term.strip()
        if not term:
            return queryset, False
        if term.startswith("col_"):
            return by_id(queryset, term), False
        if term.startswith("chg_"):
            return queryset.filter(pk__in=_orders_of(Charge.objects.filter(pk=term))), False
        document = normalised_document(term)
        # Each query is limited by the tenant scope first, so that rows of other merchants do not
        # use up the limit.
        orders = tenancy.limit(request, Order.objects.all(), "merchant")
        charges = tenancy.limit(request, Charge.objects.all(), "order__merchant")
        found = chain(
            orders.filter(reference=term).values_list("pk", flat=True)[:FOUND_MAX],
            _orders_of(charges.filter(trace_code=term)),
            orders.filter(customer_document=document).values_list("pk", flat=True)[
                : FOUND_MAX if document else 0
            ],
        )
        begins = orders.filter(beginning_of_reference(term) or Q(pk__in=[]))
        near = chain(
            begins.values_list("pk", flat=True)[:FOUND_MAX], own_search.keys(request, Order, term)
        )
        return queryset.filter(pk__in=set(found) or set(near)), False

    def related_tables(self, row: Order) -> list[dict[str, Any]]:
        names = ("charges", "refunds", "disputes")
        ordered = (Prefetch(name, getattr(row, name).order_by("id")) for name in names)
        prefetch_related_objects([row], *ordered)
        return tables(row)

    def timeline_lines(self, row: Order) -> list[TimelineLine]:
        return timelines.order_lines(row)

    def next_step(self, row: Order) -> NextStep:
        return next_steps.of_order(row)

    def warnings(self, row: Order) -> list[object]:
        return nit_warnings(row.customer_doc_type, row.customer_document)

    def head(self, row: Order) -> dict[str, Any] | None:
        """What went back, and what is on its way back, stands beside the state."""
        found = super().head(row)
        going = [one.amount for one in row.refunds.all() if one.status in GOING_BACK]
        if found is not None and (going or row.refunded_amount):
            badges = [found["state"]]
            if row.refunded_amount:
                gone = amount(row.refunded_amount, row.currency)
                badges.append(badge(gettext("Refunded: %s") % gone, "default"))
            if going:
                pending = amount(sum(going), row.currency)
                badges.append(badge(gettext("Refund under way: %s") % pending, "warning"))
            found["state"] = format_html_join(" ", "{}", ((one,) for one in badges))
        return found

    @display(description=_("the payer pays"))
    def total_shown(self, order: Order) -> str:
        """Its parts are unknown for orders from before 2026."""
        return amount(order.amount, order.currency)

    @display(description=_("fee"))
    def fee_shown(self, order: Order) -> str:
        return amount(order.fee_amount, order.currency)

    @display(description=YOU_RECEIVE)
    def net_shown(self, order: Order) -> str:
        return amount(order.base_amount, order.currency)

    @display(description=_("refunded"))
    def refunded_shown(self, order: Order) -> str:
        return amount(order.refunded_amount, order.currency) if order.refunded_amount else "-"

    @display(description=_("document"))
    def document_masked(self, order: Order) -> str:
        """Of the order itself: a list does not read the payments of each row."""
        shown = f"{order.customer_doc_type} {masking.tail(order.customer_document)}"
        return shown.strip() or "-"

    @display(description=_("document"))
    def document_shown(self, order: Order) -> str:
        kind, number = columns.document_of(order)
        return f"{kind} {masking.tail(number)}".strip() or "-"

    @display(description=_("e-mail"))
    def email_masked(self, order: Order) -> str:
        return masking.email(order.customer_email)

    @display(description=_("made with the payment link"))
    def seller_link(self, order: Order) -> str | SafeString:
        """Its page is of an app above."""
        if not order.link_id:
            return "-"
        return record_link("paymentlink", order.link_id)

    @display(description=_("page to pay"))
    def pay_link(self, order: Order) -> SafeString:
        return copyable(order.collect_url, order.collect_url)

    @display(description=_("allowed methods"))
    def methods_shown(self, order: Order) -> str:
        """With the Direct API the page offers methods of the rails beside its own."""
        return ", ".join(offered_ways.of_order(order))

    @display(description=_("the payer returns to"))
    def return_link(self, order: Order) -> str | SafeString:
        url = order.callback_url
        return copyable(url, url) if url else "-"

    @display(description=_("data of the merchant"))
    def metadata_shown(self, order: Order) -> str | SafeString:
        return data_lines(order.metadata)


def _orders_of(charges: QuerySet[Charge]) -> Iterable[str]:
    return charges.values_list("order_id", flat=True)[:FOUND_MAX]
