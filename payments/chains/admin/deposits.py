"""Deposits that the scanner saw, and those that a person has to look at."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display

from payments.chains import decisions
from payments.chains.admin.addresses import amount_text
from payments.chains.models import Deposit, DepositStatus
from payments.console.actions import Cleaned, ConfirmedAction, right_to
from payments.console.exports import columns
from payments.console.formatting import actor, badge, link_column, timestamp_column
from payments.console.model_admins import PossibleActions
from payments.core import clock

CONTRADICTED = Q(contradicted_at__isnull=False, acknowledged_at__isnull=True)
UNKNOWN_TOKEN = Q(coin="", acknowledged_at__isnull=True)
KINDS = {
    DepositStatus.FINAL: "success",
    DepositStatus.IN_BLOCK: "info",
    DepositStatus.SEEN: "info",
    DepositStatus.GONE: "warning",
}
ACKNOWLEDGE = ConfirmedAction(
    verb="acknowledge",
    title=_("Acknowledge deposit"),
    explanation=_(
        "It leaves the work queue. Nothing is booked or taken back: correct the books by other "
        "actions first, where that is needed."
    ),
    submit=_("Acknowledge"),
)


class StrangeFilter(admin.SimpleListFilter):
    title = _("exceptions")
    parameter_name = "exceptions"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, Any]]:
        return [("contradicted", _("No longer on the chain")), ("token", _("Unknown token"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Deposit]) -> QuerySet[Deposit]:
        found = {"contradicted": CONTRADICTED, "token": UNKNOWN_TOKEN}.get(self.value() or "")
        return queryset if found is None else queryset.filter(found)


@admin.register(Deposit)
class DepositAdmin(PossibleActions):
    seen = timestamp_column("first_seen_at", _("first seen at"))
    final = timestamp_column("final_at", _("final at"))
    contradicted = timestamp_column("contradicted_at", _("contradicted at"))
    acknowledged = timestamp_column("acknowledged_at", _("acknowledged at"))
    of_address = link_column("address", _("address"))
    shown_if_empty = _(
        "Coins that arrived at our addresses, each transaction with its confirmations."
    )
    list_display = ["amount", "account", "of_address", "state", "transaction", "height", "seen"]
    list_select_related = ["address"]
    list_filter = [StrangeFilter, "status", "account"]
    search_fields = ["=transaction"]
    ordering = ["-id"]
    fields = [
        ("amount", "state"),
        ("of_address", "account"),
        ("network", "token"),
        ("transaction", "height"),
        ("counts", "block_hash"),
        ("seen", "final"),
        ("contradicted", "acknowledged"),
        "acknowledged_by",
    ]
    readonly_fields = [
        *("amount", "state", "of_address", "seen", "final", "contradicted", "acknowledged")
    ]
    actions_detail = ["acknowledge"]
    has_acknowledge_permission = right_to("acknowledge")
    export_columns = [
        *columns.fields(account="account", network="network", coin="coin", token="token"),
        columns.Column("amount", amount_text),
        *columns.fields(address="address__address", transaction="transaction", block="height"),
        *columns.fields(status="status", firstSeenAt="first_seen_at", finalAt="final_at"),
    ]

    def possible(self, row: Deposit) -> set[str]:
        is_strange = row.contradicted_at is not None or not row.coin
        return {"acknowledge"} if is_strange and row.acknowledged_at is None else set()

    @display(description=_("amount"))
    def amount(self, one: Deposit) -> str:
        return amount_text(one)

    @display(description=_("status"), ordering="status")
    def state(self, one: Deposit) -> SafeString:
        if one.contradicted_at is not None:
            return badge(gettext("no longer on the chain"), "danger")
        return badge(one.get_status_display(), KINDS[DepositStatus(one.status)])

    @action(description=ACKNOWLEDGE.title, icon="done", permissions=["acknowledge"])
    def acknowledge(self, request: HttpRequest, object_id: str) -> HttpResponse:
        deposit: Deposit = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            decisions.acknowledge_deposit(
                deposit_id=deposit.pk, actor=actor(request), now=clock.now(), **form
            )
            return self.done(request, deposit, ACKNOWLEDGE)

        return self.confirm_first(request, deposit, ACKNOWLEDGE, perform)
