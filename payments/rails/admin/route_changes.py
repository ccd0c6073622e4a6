"""Console pages of changes of routes for real money: confirm, approve, reject."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from payments.console.actions import Cleaned, ConfirmedAction, right_to
from payments.console.formatting import actor, badge, lines, timestamp_column
from payments.console.model_admins import PossibleActions
from payments.core import clock
from payments.rails.admin.methods import name_of
from payments.rails.models import Route, RouteChange, product_choices
from payments.rails.services import route_changes

Status = RouteChange.Status
KINDS = {Status.REQUESTED: "warning", Status.APPROVED: "success", Status.REJECTED: "info"}
NAMES = {field.attname: field.verbose_name for field in Route._meta.concrete_fields}
CONFIRM = ConfirmedAction(
    verb="confirm",
    needs_reauthentication=True,
    title=_("Confirm what the declaration asks for"),
    explanation=_("You stand behind this change. Another person approves it after you."),
    submit=_("Confirm"),
)
APPROVE = ConfirmedAction(
    verb="approve",
    needs_reauthentication=True,
    title=_("Approve the change"),
    explanation=_("From now on the routes of real money are as this change says."),
    submit=_("Approve the change"),
    danger=True,
)
REJECT = ConfirmedAction(
    verb="reject",
    needs_reauthentication=True,
    title=_("Reject the change"),
    explanation=_("The routes stay as they are."),
    submit=_("Reject the change"),
)


def difference_lines(change: RouteChange) -> list[str]:
    """`priority: 10 → 5`, or `priority: 5` for a new route."""
    return [
        f"{_name(field)}: {_text(field, before)} → {_text(field, after)}"
        if change.route is not None and before is not None
        else f"{_name(field)}: {_text(field, after)}"
        for field, before, after in route_changes.differences(change)
        if (before, after) not in ((None, ""), (None, None))
    ]


def _name(field: str) -> str:
    return str(NAMES[field])


def _text(field: str, value: object) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if value in (None, ""):
        return "-"
    return name_of(str(value)) if field == "method" else str(value)


@admin.register(RouteChange)
class RouteChangeAdmin(PossibleActions):
    """Requests to change where real money goes, and who decided on them."""

    requested = timestamp_column("requested_at", _("requested at"))
    decided = timestamp_column("decided_at", _("decided at"))
    shown_if_empty = _(
        "New and changed routes for real money. Each one counts after a second person approved it."
    )
    list_display = ["what", "account", "state", "requested_by", "requested", "decided_by"]
    list_filter = ["status"]
    ordering = ["-id"]
    fields = [
        ("what", "state"),
        "differences",
        "reason",
        ("requested_by", "requested"),
        ("decided_by", "decided"),
    ]
    readonly_fields = [
        *("what", "state", "differences", "reason", "requested_by", "requested"),
        *("decided_by", "decided"),
    ]
    actions_detail = ["confirm", "approve", "reject"]
    has_confirm_permission = right_to("confirm")
    has_approve_permission = right_to("approve")
    has_reject_permission = right_to("reject")

    def get_queryset(self, request: HttpRequest) -> QuerySet[RouteChange]:
        changes: QuerySet[RouteChange] = super().get_queryset(request)
        return changes.select_related("route")

    def warnings(self, row: RouteChange) -> list[object]:
        return route_changes.warnings(row)

    def possible(self, row: RouteChange) -> set[str]:
        if row.status != Status.REQUESTED:
            return set()
        is_declared = row.requested_by == route_changes.DECLARATION
        return {"confirm" if is_declared else "approve", "reject"}

    @display(description=_("change"))
    def what(self, change: RouteChange) -> str:
        product = change.values.get("product", "")
        shown = dict(product_choices()).get(product, product)
        kind = gettext("new route") if change.route is None else gettext("changed route")
        return f"{shown}: {kind}"

    @display(description=_("account"))
    def account(self, change: RouteChange) -> str:
        return str(change.values.get("account", ""))

    @display(description=_("state"), ordering="status")
    def state(self, change: RouteChange) -> SafeString:
        return badge(change.get_status_display(), KINDS[Status(change.status)])

    @display(description=_("what changes"))
    def differences(self, change: RouteChange) -> SafeString:
        return lines(difference_lines(change))

    @action(description=CONFIRM.title, icon="how_to_reg", permissions=["confirm"])
    def confirm(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, CONFIRM, route_changes.confirm)

    @action(
        description=APPROVE.title,
        icon="verified_user",
        variant=ActionVariant.PRIMARY,
        permissions=["approve"],
    )
    def approve(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, APPROVE, route_changes.approve)

    @action(
        description=REJECT.title,
        icon="block",
        variant=ActionVariant.DANGER,
        permissions=["reject"],
    )
    def reject(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, REJECT, route_changes.reject)

    def _decide(
        self, request: HttpRequest, object_id: str, confirmed: ConfirmedAction, service: Any
    ) -> HttpResponse:
        change: RouteChange = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            service(change_id=change.pk, actor=actor(request), now=clock.now(), **form)
            return self.done(request, change, confirmed)

        return self.confirm_first(request, change, confirmed, perform)
