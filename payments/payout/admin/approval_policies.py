"""The console's pages of a merchant's approval rules: proposed by one, confirmed by another."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from merchants.models import Merchant
from payments.console import reauthentication, tenancy
from payments.console.actions import Cleaned, ConfirmedAction, own_right_to, right_to
from payments.console.detail_page import NextStep
from payments.console.detail_words import add_sentence
from payments.console.formatting import admin_url, amount, badge, lines, timestamp_column
from payments.console.model_admins import PossibleActions
from payments.console.money_admin import MoneyAdmin
from payments.console.state_words import add_state_words
from payments.console.timeline import TimelineLine, add_actions, add_states, timeline, who
from payments.core import clock, money
from payments.core.errors import ServiceError
from payments.payout.admin.policy_form import PolicyForm
from payments.payout.models import ApprovalPolicy, ApprovalTier
from payments.payout.services import approval_rules
from payments.payout.services.approval_rules import NewPolicy

Status = ApprovalPolicy.Status
PROPOSE_TITLE = _("Propose rules")
CONFIRM = ConfirmedAction(
    verb="confirm",
    needs_reauthentication=True,
    title=_("Confirm the rules"),
    explanation=_(
        "From now on they replace the earlier rules, for everything that is prepared later. The "
        "person who proposed them does not approve under them."
    ),
    submit=_("Confirm"),
    done=_("The rules are in force."),
)
REFUSE = ConfirmedAction(
    verb="confirm",
    title=_("Refuse the rules"),
    explanation=_("Nothing changes: the earlier rules stay in force."),
    submit=_("Refuse"),
    danger=True,
    done=_("Rules rejected."),
)
TAKE_BACK = ConfirmedAction(
    verb="propose",
    title=_("Take the proposal back"),
    explanation=_("Nothing changes: the earlier rules stay in force."),
    submit=_("Take back"),
    danger=True,
    done=_("The proposal is taken back."),
)
# The Spanish noun is a feminine plural.
add_state_words(
    "approvalpolicy",
    {
        "PROPOSED": pgettext_lazy("approval rules", "Proposed"),
        "ACTIVE": pgettext_lazy("approval rules", "In force"),
        "REFUSED": pgettext_lazy("approval rules", "Refused"),
        "ENDED": pgettext_lazy("approval rules", "Replaced"),
    },
)
add_states(
    "approvalpolicy",
    {
        "ACTIVE": _("The rules are in force"),
        "REFUSED": _("The rules were refused"),
        "ENDED": _("Other rules replaced them"),
    },
)
add_actions(
    {
        "approval_policy.proposed": _("Proposed the rules"),
        "approval_policy.confirmed": _("Confirmed the rules"),
        "approval_policy.refused": _("Refused the rules"),
    }
)


@admin.register(ApprovalPolicy)
class ApprovalPolicyAdmin(PossibleActions, MoneyAdmin):
    empty_text = _(
        "Without rules, one colleague approves each payout that another one asked for. "
        "Rules say from which amount more people approve."
    )
    shown_if_empty = _(
        "The rules of a merchant's team: from which amount more people approve. Without rules, "
        "one colleague approves each payout."
    )
    merchant_path = "merchant"
    merchant_actions = frozenset({"propose", "confirm_rules", "refuse", "take_back"})
    has_timeline = True
    labels = {
        Status.PROPOSED: "warning",
        Status.ACTIVE: "success",
        Status.REFUSED: "danger",
        Status.ENDED: "default",
    }
    created = timestamp_column("created_at", _("proposed at"))
    decided = timestamp_column("decided_at", _("decided at"))
    list_display = ["created", "status_label", "tiers_shown", "proposer", "merchant_link"]
    list_filter = ["status"]
    fields = [
        ("status_label", "merchant_link"),
        "tiers_shown",
        "reason",
        ("proposer", "created"),
        ("decider", "decided"),
    ]
    readonly_fields = [
        *("status_label", "merchant_link", "tiers_shown", "reason", "proposer"),
        *("created", "decider", "decided"),
    ]
    actions_list = ["propose"]
    actions_detail = ["confirm_rules", "refuse", "take_back"]

    def get_search_results(
        self, request: HttpRequest, queryset: Any, search_term: str
    ) -> tuple[Any, bool]:
        term = search_term.strip()
        return (queryset.filter(pk=term) if term else queryset), False

    has_propose_permission = own_right_to("propose")
    has_confirm_permission = right_to("confirm")

    def possible(self, row: ApprovalPolicy) -> set[str]:
        return set(self.actions_detail) if row.status == Status.PROPOSED else set()

    def next_step(self, row: ApprovalPolicy) -> NextStep | None:
        if row.status != Status.PROPOSED:
            return None
        why = gettext(
            "The rules wait until a person other than the one who proposed them confirms."
        )
        able = approval_rules.may_confirm(row)
        if able and tenancy.current_user_is_merchant():
            names = ", ".join(str(who(user.get_username())) for user in able)
            why += " " + gettext("Who may: %s.") % names
        return NextStep(why=why, actions=("confirm_rules", "refuse", "take_back"))

    def timeline_lines(self, row: ApprovalPolicy) -> list[TimelineLine]:
        made = TimelineLine(
            at=row.created_at,
            what=gettext("The rules were proposed"),
            who=who(row.proposed_by),
            kind="person",
        )
        return timeline([row.pk], [made] if tenancy.current_user_is_merchant() else [])

    @display(description=_("rules"))
    def tiers_shown(self, row: ApprovalPolicy) -> SafeString:
        return rules_shown(row)

    @display(description=_("proposed by"))
    def proposer(self, row: ApprovalPolicy) -> str:
        return str(who(row.proposed_by))

    @display(description=_("decided by"))
    def decider(self, row: ApprovalPolicy) -> str | SafeString:
        if row.status == Status.PROPOSED:
            return badge(_("waits for a colleague"), "warning")
        return str(who(row.decided_by)) if row.decided_by else "-"

    @action(
        description=PROPOSE_TITLE,
        icon="rule",
        variant=ActionVariant.PRIMARY,
        permissions=["propose"],
    )
    def propose(self, request: HttpRequest) -> HttpResponse:
        if not self.has_propose_permission(request) or not isinstance(request.user, User):
            raise PermissionDenied
        rows = Merchant.objects.filter(pk__in=tenancy.merchants(request)).defer("webhook_secret")
        sent = request.POST if request.method == "POST" else None
        merchants = list(rows.order_by("name"))
        form = PolicyForm(merchants, sent, initial=_initial(merchants))
        is_valid = sent is not None and form.is_valid()
        # Said once: the second time the person has read it.
        warning = form.too_few(request.user) if is_valid and "warned" not in request.POST else ""
        if is_valid and not warning:
            if (page := reauthentication.require_reauthentication(request)) is not None:
                return page
            reason = form.cleaned_data["reason"]
            new = NewPolicy(merchant=form.chosen, tiers=form.tiers, reason=reason)
            try:
                policy = approval_rules.propose(new=new, user=request.user, now=clock.now())
            except ServiceError as error:
                form.add_error(None, error.shown())
            else:
                text = gettext("The rules are proposed. Another person has to confirm them.")
                self.message_user(request, text)
                return redirect(admin_url(policy) or "admin:index")
        return self.page(
            request,
            "admin/policy_form.html",
            status=400 if form.errors else 200,
            title=PROPOSE_TITLE,
            form=form,
            warning=warning,
            back_url=self.back_url(None),
        )

    @action(description=CONFIRM.title, icon="check_circle", permissions=["confirm"])
    def confirm_rules(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, CONFIRM, approval_rules.confirm)

    @action(
        description=REFUSE.title,
        icon="block",
        variant=ActionVariant.DANGER,
        permissions=["confirm"],
    )
    def refuse(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, REFUSE, approval_rules.refuse)

    @action(description=TAKE_BACK.title, icon="undo", permissions=["propose"])
    def take_back(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, TAKE_BACK, approval_rules.refuse)

    def _decide(
        self,
        request: HttpRequest,
        object_id: str,
        confirmed: ConfirmedAction,
        decide: Callable[..., None],
    ) -> HttpResponse:
        policy: ApprovalPolicy = self.get_record(request, object_id)
        user = request.user
        if not isinstance(user, User):
            raise PermissionDenied

        def act(form: Cleaned) -> None:
            decide(policy=policy, user=user, reason=form["reason"], now=clock.now())

        rows = [_tier(one) for one in policy.tiers.order_by("above")]
        rows = rows or [gettext("No rules of your own: one approver for each payout.")]
        return self.confirm_and_return(request, policy, confirmed, act, rows=rows)


def _told_tiers(stored: list[list[Any]]) -> str:
    """As `approval_rules` writes them to the audit log."""
    tiers = (
        ApprovalTier(above=Decimal(above), people=people, person=person or "")
        for above, people, person in stored
    )
    return "; ".join(_tier(one) for one in tiers)


def rules_shown(policy: ApprovalPolicy) -> SafeString:
    """One line for each, and the default below them."""
    tiers = list(policy.tiers.order_by("above"))
    first = [] if tiers and not tiers[0].above else [gettext("else: one approver")]
    return lines([*(_tier(one) for one in tiers), *first])


def _tier(tier: ApprovalTier) -> str:
    if not tier.people:
        approves = gettext("no colleague")
    elif tier.person:
        approves = gettext("only %s") % tier.person
    else:
        approves = gettext("one approver") if tier.people == 1 else gettext("two approvers")
    above = gettext("above %s") % amount(tier.above, money.FIAT)
    return f"{above}: {approves}"


def _initial(merchants: list[Merchant]) -> dict[str, str]:
    """The rules that are in force, of a person with one merchant."""
    policy = approval_rules.active(merchants[0]) if len(merchants) == 1 else None
    values: dict[str, str] = {}
    for number, tier in enumerate(policy.tiers.order_by("above") if policy else (), start=1):
        values[f"above_{number}"] = money.text(tier.above).replace(".", ",")
        values[f"who_{number}"] = f"@{tier.person}" if tier.person else str(tier.people)
    return values


add_sentence("tiers", _told_tiers)
