"""A second person of the merchant decides about a payout that a colleague made by hand."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _
from unfold.dataclasses import UnfoldAction
from unfold.decorators import action
from unfold.enums import ActionVariant

from payments.console import tenancy
from payments.console.actions import ConfirmedAction, OptionalReasonForm, own_right_to, shows_facts
from payments.console.formatting import actor
from payments.console.timeline import TimelineLine, add_actions, told_by_acts, who
from payments.core import audit, clock
from payments.payout.admin import record_places
from payments.payout.admin.actions import PayoutActions
from payments.payout.admin.payout_facts import payout_facts
from payments.payout.models import Network, Payout, TeamDecision
from payments.payout.services import approvals, dry_run, hand_warnings, keys, team, team_approvals

APPROVE = ConfirmedAction(
    verb="decide",
    needs_reauthentication=True,
    title=_("Approve payout"),
    explanation=_(
        "You are the second person: compare beneficiary, account and amount with your papers. With "
        "the last approval the money leaves at once."
    ),
    submit=_("Approve"),
    form_class=OptionalReasonForm,
)
REJECT = ConfirmedAction(
    verb="decide",
    needs_reauthentication=True,
    title=_("Reject payout"),
    explanation=_("The payout ends as failed, and its money is in your balance again."),
    submit=_("Reject"),
    danger=True,
)
WITHDRAW = ConfirmedAction(
    verb="prepare",
    title=_("Cancel this request"),
    explanation=_("Nothing is sent. The payout ends as failed, and its money is free again."),
    submit=_("Cancel this request"),
    danger=True,
    form_class=OptionalReasonForm,
)
TEAM_DECISIONS = ("approve_team", "reject_team")
TEAM_ACTIONS = (*TEAM_DECISIONS, "withdraw")

add_actions(
    {
        "payout.made_by_hand": _("Made the payout in the console"),
        "payout.team_approved": _("Approved the payout for the merchant"),
        "payout.team_rejected": _("Rejected the payout for the merchant"),
        "payout.withdrawn": _("Cancelled the request"),
    }
)
told_by_acts("teamapproval")
Decide = Callable[..., Any]
Kind = TeamDecision.Kind


class TeamActions(PayoutActions):
    """For people of merchants only. The services check the second person again."""

    actions_detail = [*TEAM_ACTIONS, *PayoutActions.actions_detail]

    has_decide_permission = own_right_to("decide")
    has_prepare_permission = own_right_to("prepare")

    def has_take_back_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return self.has_prepare_permission(request) or self.has_decide_permission(request)

    def possible(self, payment: Any) -> set[str]:
        possible = super().possible(payment)
        if payment.status == Payout.Status.PENDING and payment.is_held_back:
            possible.add("withdraw")
            if payment.needs_team_approval:
                possible |= set(TEAM_DECISIONS)
        return possible

    def hidden(self, request: HttpRequest, payout: Payout) -> set[str]:
        hidden = super().hidden(request, payout)
        if not payout.is_held_back or not isinstance(request.user, User):
            return hidden
        if not approvals.may_withdraw(payout, request.user):
            hidden.add("withdraw")
        approval = team_approvals.find(payout.pk)
        if approval is not None and not team_approvals.may_approve(approval, request.user):
            hidden.add("approve_team")
        return hidden

    @action(description=APPROVE.title, icon="check_circle", permissions=["decide"])
    def approve_team(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks the rail for the holder of a key when the page is opened."""
        payout: Payout = self.get_record(request, object_id)
        if request.method == "GET" and payout.needs_team_approval:
            keys.check(payout=payout, now=clock.now())
        return self._decide_team(request, object_id, APPROVE, approvals.approve_for_team)

    @action(
        description=REJECT.title,
        icon="block",
        variant=ActionVariant.DANGER,
        permissions=["decide"],
    )
    def reject_team(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide_team(request, object_id, REJECT, approvals.reject_for_team)

    @action(
        description=WITHDRAW.title,
        icon="undo",
        variant=ActionVariant.DANGER,
        permissions=["take_back"],
    )
    def withdraw(self, request: HttpRequest, object_id: str) -> HttpResponse:
        verb = "prepare" if self.has_prepare_permission(request) else "decide"
        confirmed = replace(WITHDRAW, verb=verb)
        return self._decide_team(request, object_id, confirmed, approvals.withdraw)

    def _decide_team(
        self, request: HttpRequest, object_id: str, confirmed: ConfirmedAction, decide: Decide
    ) -> HttpResponse:
        user = request.user
        if not tenancy.is_merchant_user(request) or not isinstance(user, User):
            raise PermissionDenied
        payout: Payout = self.get_record(request, object_id)
        place = record_places.place_of(payout.pk)

        def perform(form: dict[str, str]) -> str:
            done = decide(payout=payout, user=user, reason=form["reason"], now=clock.now())
            return _done(confirmed, place, is_last=done is not False)

        rows, warnings = _holder_and_warnings(payout, place)
        context: dict[str, object] = {
            "rows": rows,
            "alerts": warnings,
            "subject_name": place.title if place else payout.recipient_name,
        }
        is_whole = confirmed is APPROVE and self._may_compare(request, payout)
        if confirmed is APPROVE and payout.needs_team_approval:
            context |= self._to_compare(payout, place, is_whole=is_whole)
        shown = _in_words(confirmed, place)
        response = self.confirm(request, payout, shown, perform, **context)
        response.headers["Cache-Control"] = "no-store, private"
        if is_whole and shows_facts(response):
            audit.record(actor=actor(request), action="personal_data.revealed", subject=payout)
        return response

    def _may_compare(self, request: HttpRequest, payout: Payout) -> bool:
        """Whether this person may approve it, and read whole numbers."""
        return (
            payout.needs_team_approval
            and self.has_reveal_permission(request)
            and "approve_team" not in self.hidden(request, payout)
        )

    def _to_compare(
        self, payout: Payout, place: record_places.Place | None, *, is_whole: bool
    ) -> dict[str, object]:
        """Whole numbers, because masked ones cannot be compared."""
        reject = reverse("admin:payout_payout_reject_team", args=[payout.pk])
        facts = payout_facts(payout, is_whole=is_whole)
        sum_first = sorted(facts, key=lambda fact: fact[0] != gettext("Amount"))
        return {
            "facts": sum_first,
            "has_sum": True,
            "other_way": (_in_words(REJECT, place).title, reject),
        }

    def summary(self, payment: Payout) -> list[str]:
        if not tenancy.current_user_is_merchant():
            return super().summary(payment)
        rows, warnings = _holder_and_warnings(payment, record_places.place_of(payment.pk))
        return [*rows, *warnings]

    def named_actions(self, offered: list[UnfoldAction], row: Any) -> list[UnfoldAction]:
        """A withdrawal is named as one. Only while it waits it has these acts."""
        offered = super().named_actions(offered, row)
        names = {each.action_name.removeprefix("payout_payout_") for each in offered}
        place = record_places.place_of(row.pk) if names & set(TEAM_DECISIONS) else None
        if place is None:
            return offered
        words = {"approve_team": place.words.approve, "reject_team": place.words.reject}
        return [
            replace(each, description=str(words.get(name, each.description)))
            for each in offered
            for name in [each.action_name.removeprefix("payout_payout_")]
        ]


def _in_words(confirmed: ConfirmedAction, place: record_places.Place | None) -> ConfirmedAction:
    """Named as a withdrawal where the payout is one."""
    if place is None:
        return confirmed
    words = place.words
    if confirmed is APPROVE:
        return replace(confirmed, title=words.approve, explanation=words.approve_what)
    if confirmed is REJECT:
        return replace(confirmed, title=words.reject, explanation=words.reject_what)
    return replace(confirmed, explanation=words.cancel_what)


def _holder_and_warnings(
    payout: Payout, place: record_places.Place | None
) -> tuple[list[str], list[str]]:
    """An account of the merchant's own is no beneficiary to get to know."""
    if place is not None:
        return [place.note] if place.note else [], [place.warning] if place.warning else []
    warnings = hand_warnings.of_payout(payout, merchant_id=payout.merchant_id, now=clock.now())
    if payout.network != Network.BREB:
        return [], warnings
    check = keys.last_check(payout)
    holder = dry_run.shown_holder(check)
    rows = [gettext("Holder of the key: %s") % holder] if holder else []
    return rows, [*warnings, *dry_run.holder_warnings(check, payout.recipient_name)]


def team_lines(subject_id: str) -> list[TimelineLine]:
    """What colleagues decided, for the timeline that they see."""
    words = {
        Kind.APPROVED: gettext("A colleague approved it"),
        Kind.REJECTED: gettext("A colleague rejected it"),
        Kind.WITHDRAWN: gettext("It was cancelled"),
    }
    return [
        TimelineLine(
            at=one.at,
            what=words[Kind(one.kind)],
            who=who(one.person),
            detail=one.reason,
            kind="person",
        )
        for one in TeamDecision.objects.filter(approval=subject_id).order_by("id")
    ]


def waits_for_team(payout: Payout) -> str:
    """With the names of the people who may decide."""
    why = gettext("The money is held until a colleague of the person who asked approves it.")
    approval = team_approvals.find(payout.pk)
    if approval is None:
        return why
    reader = tenancy.current_user()
    if reader is not None and team_approvals.may_approve(approval, reader):
        text = gettext("%(first)s asked for it: compare the facts, then approve or reject.")
        if record_places.place_of(payout.pk) is not None:
            text = pgettext(
                "masculine", "%(first)s asked for it: compare the facts, then approve or reject."
            )
        return text % {"first": who(approval.requested_by)}
    able = team.approvers(
        merchant_id=approval.merchant_id,
        asked_by=approval.requested_by,
        rule_set_by=approval.rule_set_by,
    )
    names = [user.get_full_name() or user.get_username() for user in able]
    if approval.person:
        names = [str(who(approval.person))]
    if names:
        why += " " + gettext("Who may: %s.") % ", ".join(names)
    return why


def _done(confirmed: ConfirmedAction, place: record_places.Place | None, *, is_last: bool) -> str:
    if confirmed is APPROVE:
        if is_last:
            return str(place.words.approved) if place else gettext("Payout approved.")
        return gettext("Approved. Another colleague has to approve it, too.")
    if confirmed is not REJECT:
        return gettext("Request cancelled.")
    return str(place.words.rejected) if place else gettext("Payout rejected.")
