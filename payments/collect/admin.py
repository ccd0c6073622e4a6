"""Console pages of collections: an order with its story on one page, and charges."""

from collections.abc import Iterable
from itertools import chain
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.collect.consoles.orders import OrderActs
from payments.collect.consoles.story import after_payment
from payments.collect.models import Charge, Order
from payments.core import jsontext
from payments.core.console import (
    DaysFilter,
    ReadOnlyAdmin,
    amount,
    badge,
    link,
    moment,
    table,
    walls,
    when,
)
from payments.core.models import Transition
from payments.core.money_pages import FOUND_MAX, WHOSE_AND_WHEN, MoneyAdmin, by_id, masked
from payments.core.text import normalised_document
from payments.ledger.admin import entries
from webhooks.models import Delivery

CHARGE_LABELS = {
    Charge.Status.STARTING: "info",
    Charge.Status.PENDING: "info",
    Charge.Status.RECEIVED: "warning",
    Charge.Status.SUCCEEDED: "success",
    Charge.Status.FAILED: "danger",
    Charge.Status.ABANDONED: "default",
}
DELIVERY_LABELS = {"PENDING": "info", "DELIVERED": "success", "FAILED": "danger"}


@admin.register(Order)
class OrderAdmin(OrderActs, MoneyAdmin):
    """Orders of all merchants."""

    merchant_acts = frozenset({"refund_order"})
    labels = {
        Order.Status.PENDING: "info",
        Order.Status.PROCESSING: "warning",
        Order.Status.WAITING_TRANSFER: "warning",
        Order.Status.COMPLETED: "success",
        Order.Status.FAILED: "danger",
        Order.Status.EXPIRED: "default",
    }
    created = moment("created_at", _("created at"))
    expires = moment("expires_at", _("expires at"))
    paid = moment("paid_at", _("paid at"))
    list_display = [
        "created",
        "reference",
        "merchant_link",
        "amount_shown",
        "status_label",
        "selected_method",
        "customer_name",
        "document_masked",
    ]
    list_display_links = ["created", "reference"]
    list_filter = ["status", "selected_method", "currency", *WHOSE_AND_WHEN]
    search_help_text = _("Id, reference, document, or trace code")
    fieldsets = [
        (
            None,
            {
                "fields": [
                    ("id", "status_label"),
                    ("merchant_link", "reference"),
                    ("amount_shown", "parts_shown"),
                    ("selected_method", "allowed_methods"),
                    ("created", "expires"),
                    ("paid", "description"),
                ]
            },
        ),
        (_("Customer"), {"fields": [("customer_name", "document"), "customer_email"]}),
        (_("From the merchant"), {"fields": ["callback_url", "metadata", "pay_link"]}),
    ]
    readonly_fields = [
        *("id", "status_label", "merchant_link", "reference", "amount_shown", "parts_shown"),
        *("selected_method", "allowed_methods", "created", "expires", "paid"),
        *("description", "customer_name", "customer_email", "document", "callback_url"),
        *("metadata", "pay_link"),
    ]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Order], search_term: str
    ) -> tuple[QuerySet[Order], bool]:
        """Each kind of term by its own index: one OR over all of them would read the table."""
        term = search_term.strip()
        if not term:
            return queryset, False
        if term.startswith("col_"):
            return by_id(queryset, term), False
        if term.startswith("chg_"):
            return queryset.filter(pk__in=_orders_of(Charge.objects.filter(pk=term))), False
        document = normalised_document(term)
        # Each is cut off: rows of other merchants must not crowd out one's own.
        orders = walls.limit(request, Order.objects.all(), "merchant")
        charges = walls.limit(request, Charge.objects.all(), "order__merchant")
        found = chain(
            orders.filter(reference=term).values_list("pk", flat=True)[:FOUND_MAX],
            _orders_of(charges.filter(trace_code=term)),
            orders.filter(customer_document=document).values_list("pk", flat=True)[
                : FOUND_MAX if document else 0
            ],
        )
        return queryset.filter(pk__in=set(found)), False

    def story(self, row: Order) -> list[dict[str, Any]]:
        """See below."""
        return story(row)

    @display(description=_("amount"), ordering="amount")
    def amount_shown(self, order: Order) -> str:
        """What the payer pays."""
        return amount(order.amount, order.currency)

    @display(description=_("amount for the merchant + fee"))
    def parts_shown(self, order: Order) -> str:
        """Unknown on orders from before 2026."""
        if order.base_amount is None:
            return "-"
        parts = (order.base_amount, order.fee_amount)
        return " + ".join(amount(part, order.currency) for part in parts)

    @display(description=_("document"))
    def document_masked(self, order: Order) -> str:
        """See masked."""
        return f"{order.customer_doc_type} {masked(order.customer_document)}"

    @display(description=_("document"))
    def document(self, order: Order) -> str:
        """Whole, as the merchant sent it."""
        return f"{order.customer_doc_type} {order.customer_doc_number}"

    @display(description=_("payment link"))
    def pay_link(self, order: Order) -> str:
        """Text, not a link: the page is the payer's."""
        return order.collect_url


@admin.register(Charge)
class ChargeAdmin(ReadOnlyAdmin):
    """Tries to pay, over any rail."""

    merchant_path = "order__merchant"
    not_for_merchants = frozenset({"provider", "provider_id", "failure_reason"})
    created = moment("created_at", _("created at"))
    expires = moment("expires_at", _("expires at"))
    list_display = [
        "created",
        "id",
        "order_link",
        "method",
        "provider",
        "amount_shown",
        "received_shown",
        "status_label",
        "trace_code",
    ]
    list_display_links = ["created", "id"]
    list_filter = ["status", "method", "provider", ("created_at", DaysFilter)]
    list_select_related = ["order"]
    search_fields = ["id__exact", "order__id__exact"]
    search_help_text = _("Id of the charge or the order, or trace code")
    ordering = ["-id"]
    fields = [
        ("id", "status_label"),
        ("order_link", "method"),
        ("amount_shown", "received_shown"),
        ("provider", "provider_id"),
        ("trace_code", "failure_reason"),
        ("created", "expires"),
        "instructions_text",
    ]
    readonly_fields = [name for row in fields for name in ([row] if isinstance(row, str) else row)]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Charge], search_term: str
    ) -> tuple[QuerySet[Charge], bool]:
        """By the index of what the term looks like."""
        if not (term := search_term.strip()):
            return queryset, False
        if term.startswith("chg_"):
            return queryset.filter(pk=term), False
        if term.startswith("col_"):
            return queryset.filter(order_id=term), False
        return queryset.filter(trace_code=term), False

    @display(description=_("order"))
    def order_link(self, charge: Charge) -> str | SafeString:
        """The order that is paid."""
        return link(charge.order)

    @display(description=_("amount due"))
    def amount_shown(self, charge: Charge) -> str:
        """In what the payer pays with."""
        return amount(charge.amount, charge.currency)

    @display(description=_("received"))
    def received_shown(self, charge: Charge) -> str:
        """In what the payer pays with."""
        return amount(charge.received, charge.currency)

    @display(description=_("status"), ordering="status")
    def status_label(self, charge: Charge) -> SafeString:
        """As a badge."""
        return badge(charge.get_status_display(), CHARGE_LABELS[Charge.Status(charge.status)])

    @display(description=_("instructions"))
    def instructions_text(self, charge: Charge) -> str:
        """What the payer was told."""
        return jsontext.dumps(charge.instructions)


def _orders_of(charges: QuerySet[Charge]) -> Iterable[str]:
    return charges.values_list("order_id", flat=True)[:FOUND_MAX]


def story(order: Order) -> list[dict[str, Any]]:
    """All that happened to an order: tries, moves, money, what the merchant was told."""
    charges = list(order.charges.order_by("id"))
    return [
        _charges(charges),
        _transitions([order.pk, *(charge.pk for charge in charges)]),
        entries(order.pk),
        *after_payment(order),
        _deliveries(order),
    ]


def _charges(charges: list[Charge]) -> dict[str, Any]:
    headers = [
        *(_("charge"), _("method"), _("status"), _("amount due"), _("received")),
        *(_("trace code"), _("reason"), _("created at")),
    ]
    rows = [
        [
            link(charge),
            charge.direct_method or charge.get_method_display(),
            badge(charge.get_status_display(), CHARGE_LABELS[Charge.Status(charge.status)]),
            amount(charge.amount, charge.currency),
            amount(charge.received, charge.currency),
            charge.trace_code or "-",
            # What a rail said goes to operators only.
            "-" if walls.reads_walled() else charge.failure_reason or "-",
            when(charge.created_at),
        ]
        for charge in charges
    ]
    return table(_("Charges"), headers, rows)


def _transitions(subjects: list[str]) -> dict[str, Any]:
    moves = Transition.objects.filter(subject_id__in=subjects).order_by("id")
    rows = [
        [when(m.at), m.subject_id, f"{m.from_state} → {m.to_state}", m.actor, m.reason or "-"]
        for m in moves
    ]
    headers = [_("when"), _("record"), _("move"), _("who"), _("why")]
    # Who and why are operators and rails: not for people of merchants.
    shown = 3 if walls.reads_walled() else 5
    return table(_("Transitions"), headers[:shown], [row[:shown] for row in rows])


def _deliveries(order: Order) -> dict[str, Any]:
    deliveries = (
        Delivery.objects.filter(event__subject_id=order.pk)
        .select_related("event")
        .defer("event__body")
        .order_by("id")
    )
    rows = [
        [
            link(delivery.event, delivery.event.kind),
            link(delivery, delivery.pk),
            badge(delivery.get_status_display(), DELIVERY_LABELS[delivery.status]),
            delivery.attempts,
            delivery.get_cause_display(),
            when(delivery.created_at),
            when(delivery.delivered_at),
        ]
        for delivery in deliveries
    ]
    headers = [
        *(_("event"), _("delivery"), _("status"), _("attempts"), _("cause")),
        *(_("created at"), _("delivered at")),
    ]
    return table(_("Webhooks"), headers, rows)
