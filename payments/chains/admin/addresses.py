"""Addresses that were given out, for the operator's wallet."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.chains.models import CoinAddress, Deposit
from payments.chains.services import gaps, owned
from payments.chains.services.gaps import KeyUse
from payments.console.exports import columns
from payments.console.formatting import timestamp_column
from payments.console.inlines import ReadOnlyInline
from payments.console.model_admins import ReadOnlyAdmin


class DepositInline(ReadOnlyInline):
    model = Deposit
    fields = ["coin", "amount", "network", "transaction", "height", "status", "first_seen_at"]
    readonly_fields = fields
    ordering = ["first_seen_at"]
    verbose_name_plural = _("Deposits")

    @display(description=_("amount"))
    def amount(self, one: Deposit) -> str:
        return amount_text(one)


def amount_text(one: Deposit) -> str:
    if not one.coin:
        return f"{one.units:f}"
    return f"{one.units.scaleb(-one.decimals).normalize():f} {one.coin}"


@admin.register(CoinAddress)
class CoinAddressAdmin(ReadOnlyAdmin):
    created = timestamp_column("created_at", _("created at"))
    shown_if_empty = _(
        "Each payment in a coin gets an address of its own, which is watched for ever."
    )
    list_display = ["index", "address", "account", "coin", "network", "balance", "order", "created"]
    list_filter = ["account", "coin", "network"]
    search_fields = ["=address", "=reference"]
    ordering = ["-id"]
    fields = [
        ("address", "index"),
        ("account", "network"),
        ("coin", "amount"),
        ("balance", "order"),
        ("reference", "created"),
    ]
    readonly_fields = ["balance", "order", "created"]
    inlines = [DepositInline]
    export_columns = [
        *columns.fields(index="index", address="address", account="account"),
        *columns.fields(coin="coin", network="network"),
        columns.Column("balance", owned.balance_text),
        *columns.fields(order="order_id", charge="reference", createdAt="created_at"),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[CoinAddress]:
        return owned.with_orders(super().get_queryset(request))

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        if request.method == "GET":
            self._show_highest(request)
        return super().changelist_view(request, extra_context)

    def _show_highest(self, request: HttpRequest) -> None:
        for use in gaps.uses_of_keys():
            if use.highest is not None:
                text = _highest_text(use)
                self.message_user(request, text, "warning" if use.is_past_limit else "info")

    @display(description=_("balance"))
    def balance(self, address: CoinAddress) -> str:
        return owned.balance_text(address) or "-"

    @display(description=_("order"))
    def order(self, address: Any) -> str | SafeString:
        if not address.order_id:
            return "-"
        url = reverse("admin:collect_order_change", args=[address.order_id])
        return format_html('<a href="{}">{}</a>', url, address.order_id)


def _highest_text(use: KeyUse) -> str:
    facts = {"accounts": ", ".join(use.accounts), "highest": use.highest, "gap": use.longest_gap}
    text = gettext("Key of %(accounts)s: the highest index given is %(highest)s.")
    if use.is_past_limit:
        text += " " + gettext(
            "%(gap)s unpaid addresses follow each other: raise the gap limit of your wallet above "
            "that, or it does not find all money."
        )
    return text % facts
