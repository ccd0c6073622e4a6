"""Requests for access, which a second person decides."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from merchants.team import access_requests
from merchants.team.models import AccessRequest
from merchants.team.pages import person_of, shown_actor
from payments.console import state_filter, tenancy
from payments.console.actions import Cleaned, ConfirmedAction, OptionalReasonForm, right_to
from payments.console.detail_page import NextStep
from payments.console.formatting import (
    actor,
    badge,
    link_column,
    time_element,
    timestamp_column,
)
from payments.console.model_admins import PossibleActions
from payments.console.state_filter import State, StateFilter
from payments.console.status_tabs import Tab
from payments.console.timeline import TimelineLine, add_actions, timeline, who
from payments.core import clock

Status = AccessRequest.Status
add_actions(
    {
        "access.requested": _("Requested it"),
        "access.approved": _("Approved it"),
        "access.rejected": _("Rejected it"),
        "access.withdrawn": _("Withdrew it"),
    }
)
APPROVE = ConfirmedAction(
    verb="approve",
    needs_reauthentication=True,
    title=_("Approve"),
    explanation=_(
        "You are the second person. Be sure that the merchant wants this: call back on a number "
        "that you know. A key for payouts is shown once to the person who requested it."
    ),
    submit=_("Approve"),
)
REJECT = ConfirmedAction(
    verb="approve",
    title=_("Reject"),
    explanation=_("Nothing is issued or given. It can be requested again."),
    submit=_("Reject"),
    danger=True,
)
WITHDRAW = ConfirmedAction(
    verb="view",
    title=_("Withdraw the request"),
    explanation=_("No other person decides about it any more. It can be requested again."),
    submit=_("Withdraw the request"),
    form_class=OptionalReasonForm,
)
COLLECT = ConfirmedAction(
    verb="collect",
    needs_reauthentication=True,
    title=_("Show the key"),
    form_class=OptionalReasonForm,
    explanation=_("The secret is shown once, on the next page. It cannot be read again later."),
    submit=_("Show"),
)
STYLES = {"WAITING": "warning", "APPROVED": "info", "REJECTED": "danger", "DONE": "success"}


class RequestState(StateFilter):
    @classmethod
    def states(cls) -> dict[str, State]:
        """As the badges of the list say it."""
        late = Q(expires_at__lte=clock.now())
        own = Q(requested_by=F("decided_by"))
        return {
            "waiting": State(Status.WAITING.label, Q(status=Status.WAITING) & ~late),
            "approved": State(Status.APPROVED.label, Q(status=Status.APPROVED) & ~late),
            "done": State(Status.DONE.label, Q(status=Status.DONE)),
            "rejected": State(Status.REJECTED.label, Q(status=Status.REJECTED) & ~own),
            "withdrawn": State(
                pgettext_lazy("access request", "Withdrawn"), Q(status=Status.REJECTED) & own
            ),
            "expired": State(_("Expired"), Q(status__in=[Status.WAITING, Status.APPROVED]) & late),
        }


@admin.register(AccessRequest)
class AccessRequestAdmin(PossibleActions):
    empty_text = _(
        "The role of an approver and keys that make payouts are given by two people: what "
        "one asks for waits here for the other."
    )
    list_about = _(
        "Keys that make payouts, and the role of approver, wait here for a second person: never "
        "the one who requested it."
    )
    list_about_for_merchants = list_about
    merchant_path = "merchant"
    merchant_pages = frozenset({"changelist_view", "change_view"})
    merchant_actions = frozenset({"approve", "reject", "collect", "withdraw"})
    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"
    merchant_link = link_column("merchant", _("merchant"))
    created = timestamp_column("created_at", pgettext_lazy("access request", "requested at"))
    list_display = ["kind", "about", "state", "requester", "decider", "merchant_link", "created"]
    list_filter = [RequestState, "kind"]
    search_fields = ["id__exact", "merchant__id__exact", "requested_by__exact"]
    search_help_text = _("Id, id of the merchant, or user name")
    search_help_for_merchants = _("Id or user name")
    ordering = ["-id"]
    actions_detail = ["approve", "reject", "collect", "withdraw"]
    has_approve_permission = right_to("approve")
    has_collect_permission = right_to("collect")
    has_withdraw_permission = right_to("view")

    def get_queryset(self, request: HttpRequest) -> QuerySet[AccessRequest]:
        rows: QuerySet[AccessRequest] = super().get_queryset(request)
        return rows.select_related("merchant", "user").defer("merchant__webhook_secret")

    def own_tabs(self, request: HttpRequest, changes: Any) -> list[Tab]:
        return state_filter.tabs(request, changes, RequestState)

    def possible(self, row: AccessRequest) -> set[str]:
        now = clock.now()
        if row.is_waiting(now):
            return {"approve", "reject", "withdraw"}
        return {"collect"} if is_collectable(row, now) else set()

    def timeline_lines(self, row: AccessRequest) -> list[TimelineLine]:
        return timeline([row.pk], _facts(row) if tenancy.current_user_is_merchant() else [])

    def next_step(self, row: AccessRequest) -> NextStep | None:
        now = clock.now()
        if row.is_waiting(now):
            why = gettext("A second person decides: never the one who requested it.")
            return NextStep(why=why, actions=("approve", "reject"), waiting=_waiting_for(row))
        if is_collectable(row, now):
            why = gettext("Approved: the person who requested the key can have it shown once.")
            return NextStep(why=why, actions=("collect",))
        return None

    def get_fieldsets(self, request: HttpRequest, obj: AccessRequest | None = None) -> list[Any]:
        """The head and the timeline say all."""
        return []

    def title_of(self, row: AccessRequest) -> object:
        return f"{row.get_kind_display()}: {self.about(row)}"

    def head(self, row: AccessRequest) -> dict[str, Any]:
        is_key = row.kind == AccessRequest.Kind.PAYOUT_KEY
        facts: list[tuple[object, object]] = [
            (gettext("alias of the key") if is_key else gettext("who gets it"), _about(row)),
            (pgettext("access request", "requested by"), self.requester(row)),
            (gettext("reason"), _reason(row) or "-"),
            (pgettext("access request", "requested at"), time_element(row.created_at)),
        ]
        if row.status in (Status.WAITING, Status.APPROVED):
            facts.append((gettext("good until"), time_element(row.expires_at)))
        if not tenancy.current_user_is_merchant():
            facts.append((gettext("merchant"), self.merchant_link(row)))
        return {"amount": row.get_kind_display(), "state": self.state(row), "facts": facts}

    def _facts(self, row: AccessRequest) -> list[tuple[object, object]]:
        """What the second person decides by."""
        return [
            (gettext("what"), row.get_kind_display()),
            (gettext("who gets it") if row.user else gettext("alias of the key"), _about(row)),
            (gettext("merchant"), row.merchant),
            (pgettext("access request", "requested by"), self.requester(row)),
            (gettext("reason"), _reason(row) or "-"),
        ]

    @display(description=_("person or key"))
    def about(self, row: AccessRequest) -> str:
        return row.user.get_username() if row.user else row.label or "-"

    @display(description=_("status"), ordering="status")
    def state(self, row: AccessRequest) -> SafeString:
        now = clock.now()
        waits = row.status in (Status.WAITING, Status.APPROVED) and now >= row.expires_at
        if waits:
            return badge(_("Expired"), "warning")
        if row.is_withdrawn:
            return badge(pgettext("access request", "Withdrawn"), "default")
        return badge(row.get_status_display(), STYLES[row.status])

    @display(description=pgettext_lazy("access request", "requested by"), ordering="requested_by")
    def requester(self, row: AccessRequest) -> str:
        return shown_actor(row.requested_by)

    @display(description=pgettext_lazy("access request", "decided by"))
    def decider(self, row: AccessRequest) -> str:
        return shown_actor(row.decided_by)

    @action(
        description=APPROVE.title,
        icon="check",
        variant=ActionVariant.PRIMARY,
        permissions=["approve"],
    )
    def approve(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row: AccessRequest = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            access_requests.approve(request=row, **_decision(request, form))
            return self.done(request, row, APPROVE, gettext("The request is approved."))

        return self.confirm_first(request, row, APPROVE, perform, facts=self._facts(row))

    @action(
        description=REJECT.title,
        icon="close",
        variant=ActionVariant.DANGER,
        permissions=["approve"],
    )
    def reject(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row: AccessRequest = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            access_requests.reject(request=row, **_decision(request, form))
            return self.done(request, row, REJECT, gettext("The request is rejected."))

        return self.confirm_first(request, row, REJECT, perform, facts=self._facts(row))

    @action(description=WITHDRAW.title, icon="undo", permissions=["withdraw"])
    def withdraw(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row: AccessRequest = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            access_requests.withdraw(request=row, **_decision(request, form))
            return self.done(request, row, WITHDRAW, gettext("The request is withdrawn."))

        return self.confirm_first(request, row, WITHDRAW, perform)

    @action(
        description=COLLECT.title,
        icon="key",
        variant=ActionVariant.PRIMARY,
        permissions=["collect"],
    )
    def collect(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row: AccessRequest = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            key, secret = access_requests.collect_key(request=row, **_decision(request, form))
            return self.show_once(
                request,
                title=_("API key issued"),
                values={"X-Api-Key": key.public_key, "X-Api-Secret": secret},
                back_url=self.back_url(row),
                subject=row,
            )

        return self.confirm_first(request, row, COLLECT, perform)

    def hidden(self, request: HttpRequest, row: AccessRequest) -> set[str]:
        """Only the person who requested it is offered to see the key, or to withdraw."""
        return set() if row.requested_by == actor(request) else {"collect", "withdraw"}


def _facts(row: AccessRequest) -> Iterator[TimelineLine]:
    """For users of merchants, who do not see the audit log."""
    asked, detail = who(row.requested_by), _reason(row)
    yield TimelineLine(
        at=row.created_at, what=gettext("Requested it"), who=asked, detail=detail, kind="person"
    )
    if row.decided_at is not None:
        is_rejected = row.status == Status.REJECTED
        what = gettext("Rejected it") if is_rejected else gettext("Approved it")
        what = gettext("Withdrew it") if row.is_withdrawn else what
        yield TimelineLine(at=row.decided_at, what=what, who=who(row.decided_by), kind="person")


def _about(row: AccessRequest) -> str:
    """The person with name and user name, or the alias of the key."""
    if row.user is None:
        return row.label or "-"
    names = dict.fromkeys((row.user.get_full_name(), row.user.get_username()))
    return " · ".join(filter(None, names))


def _reason(row: AccessRequest) -> str:
    """Requests of an earlier release have the id of the invitation in its place."""
    return "" if row.reason.startswith("invitation inv_") else row.reason


def _waiting_for(row: AccessRequest) -> str:
    """Who may decide (docs/team.md), and what comes then."""
    if row.kind == AccessRequest.Kind.PAYOUT_KEY:
        return gettext(
            "An approver of your team or of Pasarela decides, never the person who requested it. "
            "Then that person opens this page again and sees the key once."
        )
    return gettext(
        "An approver of your team or of Pasarela decides, never the person who requested it or who "
        "gets the role. Then the role counts at once."
    )


def is_collectable(row: AccessRequest, now: datetime) -> bool:
    return row.status == Status.APPROVED and row.key_id is None and now < row.expires_at


def _decision(request: HttpRequest, form: Cleaned) -> dict[str, Any]:
    return {"actor": person_of(request), "reason": form["reason"], "now": clock.now()}
