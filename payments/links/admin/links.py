"""Console pages of payment links, for operators and for people of merchants."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import flatten_fieldsets
from django.db.models import OuterRef, Q, QuerySet, Subquery, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action
from unfold.enums import ActionVariant

from payments.collect.admin.actions import ConfirmedActionsAdmin
from payments.collect.admin.labels import ORDER_LABELS
from payments.collect.models import LinkTally, Order
from payments.console import registry, tenancy
from payments.console.actions import (
    ConfirmedAction,
    right_to,
)
from payments.console.exports.columns import fields as export_fields
from payments.console.formatting import (
    amount,
    badge,
    table,
    time_element,
    timestamp_column,
    when,
)
from payments.console.formatting import (
    link as record_link,
)
from payments.console.money_admin import WHOSE_AND_WHEN, MoneyAdmin, by_id
from payments.console.timeline import TimelineLine
from payments.core import money
from payments.links.admin import history
from payments.links.admin.columns import LinkColumns, figures_once, paid_of, percent
from payments.links.admin.form_page import FormPage
from payments.links.admin.sharing import shares_of
from payments.links.models import LinkStatus, LinkVisits, PaymentLink
from payments.links.services import links

NEW = _("New payment link")
EDIT = _("Change the link")
NEWEST = 20
PAUSE = ConfirmedAction(
    verb="make",
    title=_("Pause the link"),
    explanation=_(
        "Payers cannot begin a payment until you resume it. Orders that are open can still be paid."
    ),
    submit=_("Pause"),
)
RESUME = ConfirmedAction(
    verb="make",
    title=_("Resume the link"),
    explanation=_("Payers can pay with it again at once."),
    submit=_("Resume"),
)
END = ConfirmedAction(
    verb="make",
    title=_("End the link"),
    explanation=_(
        "It takes no payments any more, for ever. Orders that are open can still be paid. Its "
        "printed codes lead to a page that says so."
    ),
    submit=_("End"),
    danger=True,
)


title_contains = registry.name_contains("title")


@admin.register(PaymentLink)
class LinkAdmin(FormPage, LinkColumns, ConfirmedActionsAdmin, MoneyAdmin):
    empty_text = _(
        "A link is a page where people pay you: a product, a course, the rent. Create it, "
        "and share it by WhatsApp, by e-mail or as a QR code."
    )
    shown_if_empty = _(
        "Pages of merchants on which a payer pays: a product, a course, a rent. Their people "
        "make them."
    )
    noun = "link"
    merchant_path = "merchant"
    merchant_actions = frozenset(
        {"new_link", "edit_link", "pause_link", "resume_link", "end_link", "see_orders"}
    )
    related = ("image",)
    has_timeline = True
    change_form_outer_before_template = "admin/links/top.html"
    labels = {
        LinkStatus.ACTIVE: "success",
        LinkStatus.PAUSED: "warning",
        LinkStatus.ENDED: "default",
    }
    export_columns = [
        *export_fields(id="pk", createdAt="created_at", merchantId="merchant_id"),
        *export_fields(merchant="merchant__name", url="url", title="title", status="status"),
        *export_fields(currency="currency", amount="amount", maxUses="max_uses", stock="stock"),
        *export_fields(expiresAt="expires_at", visits="visit_count", orders="order_count"),
        *export_fields(paid="paid_count", collected="paid_amount"),
    ]
    created = timestamp_column("created_at", _("created at"))
    list_display = [
        "title",
        "copy_shown",
        "amount_shown",
        "state",
        "paid_shown",
        "conversion_shown",
        "collected_shown",
        "merchant_link",
        "created",
    ]
    list_display_links = ["title"]
    list_filter = ["status", *WHOSE_AND_WHEN]
    search_help_text = _("Id, code or address, or a part of the title")
    search_help_for_merchants = _("Title or address")
    actions_list = ["new_link"]
    actions_detail = ["edit_link", "see_orders", "pause_link", "resume_link", "end_link"]
    has_make_permission = right_to("make")
    fieldsets = [
        (
            None,
            {
                "fields": [
                    ("left_shown", "expires"),
                    ("asked_shown", "callback_shown"),
                    "description",
                    ("created_by", "image_shown"),
                ]
            },
        ),
    ]
    readonly_fields = flatten_fieldsets(fieldsets)  # type: ignore[arg-type]
    expires = timestamp_column("expires_at", _("expires at"))

    def head(self, row: PaymentLink) -> dict[str, Any] | None:
        found = super().head(row)
        if found is not None and tenancy.current_user_is_merchant():
            found["facts"] = [*_total(row), (gettext("created at"), time_element(row.created_at))]
        return found

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With the figures of each row, each read from one or a few rows of an index."""
        tallies = LinkTally.objects.filter(link_id=OuterRef("pk"))
        paid = tallies.filter(status=Order.Status.COMPLETED)
        orders = tallies.order_by().values("link_id").annotate(sum=Sum("orders"))
        visits = LinkVisits.objects.filter(link=OuterRef("pk")).values("link")
        rows: QuerySet[Any] = super().get_queryset(request)
        rows = rows.defer("merchant__webhook_secret", "image__content")
        figures: QuerySet[Any] = rows.annotate(
            order_count=Subquery(orders.values("sum")[:1]),
            paid_count=Subquery(paid.values("orders")[:1]),
            paid_amount=Subquery(paid.values("amount")[:1]),
            visit_count=Subquery(visits.annotate(sum=Sum("visits")).values("sum")[:1]),
        )
        return figures

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[PaymentLink], search_term: str
    ) -> tuple[QuerySet[PaymentLink], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        if term.startswith("lnk_"):
            return by_id(queryset, term), False
        code = term.rstrip("/").rpartition("/l/")[2].lower()
        titled = title_contains(term)
        coded = Q(code=code)
        return queryset.filter(coded if titled is None else coded | Q(titled)), False

    # The page of one link.

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        response = super().change_view(request, object_id, form_url, extra_context)
        context = getattr(response, "context_data", None)
        if context is not None and (link := context.get("original")) is not None:
            found = figures_once(link)
            context["leads_with_figures"] = bool(found.paid)
            context["link_shares"] = shares_of(link)
            context["link_figures"] = [
                (gettext("Collected"), amount(found.collected, link.currency)),
                (gettext("Paid orders"), paid_of(found.paid, found.orders)),
                (gettext("Visits"), money.grouped(str(found.visits))),
                (gettext("Conversion"), percent(found)),
            ]
            context["link_away"] = {"target": "_blank", "rel": "noopener"}
            context["can_share"] = link.status != LinkStatus.ENDED
        return response

    def related_tables(self, row: PaymentLink) -> list[dict[str, Any]]:
        newest = Order.objects.filter(link_id=row.pk).order_by("-created_at", "-id")[:NEWEST]
        rows = [
            [
                record_link(order, order.reference),
                amount(order.amount, order.currency),
                badge(order.get_status_display(), ORDER_LABELS[order.status]),
                order.customer_name or "-",
                when(order.created_at),
            ]
            for order in newest
        ]
        headers = [_("order"), _("amount"), _("status"), _("customer"), _("created at")]
        return [table(_("Newest orders"), headers, rows, is_compact=True)] if rows else []

    def timeline_lines(self, row: PaymentLink) -> list[TimelineLine]:
        return history.lines_of(row)

    # Actions.

    def summary(self, row: PaymentLink) -> list[str]:
        return [f"{row.merchant} · {row.title}", f"{self.amount_shown(row)} · {row.url}"]

    def possible(self, row: PaymentLink) -> set[str]:
        if row.status == LinkStatus.ENDED:
            return {"see_orders"}
        move = "pause_link" if row.status == LinkStatus.ACTIVE else "resume_link"
        return {"edit_link", "see_orders", move, "end_link"}

    @action(description=_("Orders of the link"), icon="receipt_long")
    def see_orders(self, request: HttpRequest, object_id: str) -> HttpResponse:
        link = self.get_record(request, object_id)
        return redirect(f"{reverse('admin:collect_order_changelist')}?link={link.pk}")

    @action(description=PAUSE.title, icon="pause_circle", permissions=["make"])
    def pause_link(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.confirm(request, object_id, PAUSE, links.pause_link)

    @action(description=RESUME.title, icon="play_circle", permissions=["make"])
    def resume_link(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.confirm(request, object_id, RESUME, links.resume_link)

    @action(description=END.title, icon="block", variant=ActionVariant.DANGER, permissions=["make"])
    def end_link(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.confirm(request, object_id, END, links.end_link)

    @action(description=NEW, icon="add_link", variant=ActionVariant.PRIMARY, permissions=["make"])
    def new_link(self, request: HttpRequest) -> HttpResponse:
        return self.form_page(request, None, NEW)

    @action(description=EDIT, icon="edit", permissions=["make"])
    def edit_link(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.form_page(request, self.get_record(request, object_id), EDIT)


def _total(link: PaymentLink) -> list[tuple[object, object]]:
    """The amount in the head is what the merchant receives; orders have the one with the fee."""
    return [(gettext("Who pays sees"), amount(link.total, link.currency))] if link.fee else []
