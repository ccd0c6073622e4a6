"""Console pages of provider accounts: enter, check, switch, rotate."""

import json
from dataclasses import replace
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from payments.console import crumbs
from payments.console.actions import Cleaned, ConfirmedAction, right_to
from payments.console.cells import copyable
from payments.console.detail_page import NextStep
from payments.console.formatting import actor, badge, lines, time_element, timestamp_column
from payments.console.model_admins import PossibleActions
from payments.console.timeline import TimelineLine, timeline, told_by_acts
from payments.core import clock
from payments.providers.rail_type import rail_types
from payments.rails.admin import balances
from payments.rails.admin.account_actions import (
    APPROVE,
    APPROVE_CREDENTIALS,
    CONFIRM_CREDENTIALS,
    REJECT_CREDENTIALS,
    ROTATE_LIVE,
    ROTATE_SANDBOX,
    SET_ALARM,
    SWITCH_OFF,
    SWITCH_ON,
    confirmed_again,
)
from payments.rails.admin.checks import check_table, verdict
from payments.rails.admin.forms import (
    ApprovalForm,
    account_form,
    credentials_of,
    public_credentials_of,
    rotation_form,
)
from payments.rails.admin.next_steps import is_new, of_account
from payments.rails.apps import WAITING_ACCOUNTS
from payments.rails.models import ProviderAccount
from payments.rails.services import accounts, approvals, checks
from payments.rails.services.balances import has_balance, set_alarm
from payments.rails.services.route_changes import DECLARATION

Status = ProviderAccount.Status
told_by_acts("provideraccount")
KINDS = {Status.ON: "success", Status.REQUESTED: "warning", Status.OFF: "info"}


def _to_compare(account: ProviderAccount, confirmed: ConfirmedAction) -> list[str]:
    """A person who switches a coin account on has seen where its money will go."""
    if confirmed.title not in (SWITCH_ON.title, APPROVE.title):
        return []
    found = checks.first_addresses(account, clock.now())
    return [gettext("Compare with the first addresses of your wallet:"), *found] if found else []


class WaitsFilter(admin.SimpleListFilter):
    """The work queue of accounts."""

    title = _("waits for another person")
    parameter_name = "waits"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [("yes", gettext("Yes"))]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[ProviderAccount]
    ) -> QuerySet[ProviderAccount]:
        return queryset.filter(WAITING_ACCOUNTS) if self.value() == "yes" else queryset


@admin.register(ProviderAccount)
class ProviderAccountAdmin(PossibleActions):
    """Contracts with providers. Credentials are entered, and never shown."""

    has_timeline = True
    created = timestamp_column("created_at", _("created at"))
    old_until = timestamp_column("previous_until", _("old credentials count until"))
    shown_if_empty = _(
        "A contract with a provider, with its credentials: the way to a real rail. A route "
        "then says which payments go over it."
    )
    list_display = ["label", "slug", "provider_label", "mode", "state", "created"]
    list_filter = [WaitsFilter, "provider", "mode", "status", "balance__is_low"]
    search_fields = ["slug__icontains", "label__icontains"]
    ordering = ["slug"]
    change_form_outer_after_template = "admin/tables.html"
    fields = [
        ("requested_by", "approved_by"),
        ("waiting_credentials", "credentials_by"),
        "public_credentials",
        "first_addresses",
        "address",
        "callback_urls",
        ("balance_shown", "alarm_shown"),
        "old_until",
    ]
    readonly_fields = [
        *("requested_by", "approved_by"),
        *("waiting_credentials", "credentials_by", "public_credentials", "address"),
        "first_addresses",
        *("callback_urls", "balance_shown", "alarm_shown", "old_until"),
    ]
    actions_detail = ["check_account", "switch_on", "approve", "rotate"]
    actions_detail += ["confirm_credentials", "approve_credentials", "reject_credentials"]
    actions_detail += ["set_alarm", "switch_off"]
    has_check_permission = right_to("check")
    has_switch_permission = right_to("switch")
    has_approve_permission = right_to("approve")
    has_reject_permission = right_to("reject")
    has_rotate_permission = right_to("rotate")

    def possible(self, row: ProviderAccount) -> set[str]:
        by_status = {
            Status.OFF: {"switch_on"},
            Status.REQUESTED: {"approve", "switch_off"},
            Status.ON: {"switch_off"},
        }
        found = {"check_account", "rotate"} | by_status[Status(row.status)]
        found |= {"set_alarm"} if has_balance(row.slug) else set()
        if not row.requested_credentials:
            return found
        verb = "confirm" if row.credentials_by == DECLARATION else "approve"
        return found - {"approve"} | {f"{verb}_credentials", "reject_credentials"}

    def related_tables(self, row: ProviderAccount) -> list[dict[str, Any]]:
        return []

    def timeline_lines(self, row: ProviderAccount) -> list[TimelineLine]:
        return timeline([row.pk])

    def title_of(self, row: ProviderAccount) -> object:
        return row.label

    def head(self, row: ProviderAccount) -> dict[str, Any]:
        return {
            "amount": row.label,
            "state": self.state(row),
            "facts": [
                (gettext("provider"), self.provider_label(row)),
                (gettext("mode"), row.get_mode_display()),
                (gettext("name in URLs"), copyable(row.slug)),
                (gettext("created at"), time_element(row.created_at)),
            ],
        }

    def next_step(self, row: ProviderAccount) -> NextStep:
        return of_account(row)

    def warnings(self, row: ProviderAccount) -> list[object]:
        return approvals.warnings(row)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("rails.add_provideraccount"))

    @display(description=_("provider"), ordering="provider")
    def provider_label(self, account: ProviderAccount) -> str:
        """The code itself if the settings no longer have its type: the list must open."""
        known = rail_types().get(account.provider)
        return str(known.label) if known is not None else account.provider

    @display(description=_("state"), ordering="status")
    def state(self, account: ProviderAccount) -> SafeString:
        return badge(account.get_status_display(), KINDS[Status(account.status)])

    @display(description=_("new credentials"))
    def waiting_credentials(self, account: ProviderAccount) -> str:
        if account.requested_credentials:
            text = gettext("wait for approval by a second person; the old ones serve")
            leaked = gettext("The old secret leaked: refuse it now")
            return f"{text} · {leaked}" if account.refuses_old else text
        return "-" if accounts.is_approved(account) else gettext("never approved: nothing serves")

    @display(description=_("address of the rail"))
    def address(self, account: ProviderAccount) -> str:
        return account.base_url or gettext("the provider's own")

    @display(description=_("credentials that are not secret"))
    def public_credentials(self, account: ProviderAccount) -> SafeString:
        """With those that wait, so that who approves sees what changes."""
        known = rail_types().get(account.provider)
        public = [one for one in known.credentials if one.is_public] if known is not None else []
        given = json.loads(account.credentials)
        asked = json.loads(account.requested_credentials or "{}")
        shown = [f"{one.label}: {given.get(one.name, '')}" for one in public]
        shown += [
            f"{checks.REQUESTED}{one.label}: {asked[one.name]}"
            for one in public
            if one.name in asked and asked[one.name] != given.get(one.name)
        ]
        return lines(shown or ["-"])

    @display(description=_("balance to pay with"))
    def balance_shown(self, account: ProviderAccount) -> str | SafeString:
        return balances.shown(account) if has_balance(account.slug) else "-"

    @display(description=_("alarm below"))
    def alarm_shown(self, account: ProviderAccount) -> str:
        return balances.alarm(account) if has_balance(account.slug) else "-"

    @display(description=_("addresses for callbacks"))
    def callback_urls(self, account: ProviderAccount) -> SafeString:
        """A new account has them in its first step."""
        if is_new(account):
            return lines(["-"])
        urls = checks.callback_urls(account, clock.now()).values()
        return lines([copyable(url) for url in urls] or ["-"])

    @display(description=_("first addresses, to compare with your wallet"))
    def first_addresses(self, account: ProviderAccount) -> SafeString:
        return lines(checks.first_addresses(account, clock.now()) or ["-"])

    @method_decorator(sensitive_post_parameters())
    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Asks for the provider first, then for its fields."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if not (provider := request.GET.get("provider", "")):
            return self.page(
                request,
                "admin/rails_providers.html",
                title=gettext("Connect a provider"),
                providers=rail_types().values(),
                back_url=self.back_url(None),
                crumbs=crumbs.crumbs(request, self, None),
            )
        rail_type = rail_types().get(provider)
        if rail_type is None:
            raise Http404

        def perform(form: Cleaned) -> HttpResponse:
            account = accounts.create_account(
                new=accounts.NewAccount(
                    slug=form["slug"],
                    provider=rail_type.code,
                    label=form["label"],
                    mode=form["mode"],
                    base_url=form["base_url"],
                    credentials=credentials_of(form),
                ),
                actor=actor(request),
                reason=form["reason"],
                now=clock.now(),
            )
            message = gettext("%s is entered.") % account.label
            return self.done(request, account, confirmed, message)

        confirmed = confirmed_again(
            "add",
            gettext("Connect %s") % rail_type.label,
            gettext("The credentials are encrypted, and no page shows them again."),
            carries=False,
            form_class=account_form(rail_type),
        )
        return self.confirm_first(request, None, confirmed, perform)

    @action(description=_("Check"), icon="network_check", permissions=["check"])
    def check_account(self, request: HttpRequest, object_id: str) -> HttpResponse:
        account: ProviderAccount = self.get_record(request, object_id)
        found = checks.check_account(account=account, now=clock.now())
        return self.page(
            request,
            "admin/rails_check.html",
            title=gettext("Check"),
            crumbs=crumbs.crumbs(request, self, account),
            verdict=verdict(found),
            tables=[check_table(account, found)],
            buttons=self._after_check(request, account),
            back_url=self.back_url(account),
        )

    def _after_check(
        self, request: HttpRequest, account: ProviderAccount
    ) -> list[tuple[object, str]]:
        prefix = "admin:rails_provideraccount"
        again = (gettext("Check again"), reverse(f"{prefix}_check_account", args=[account.pk]))
        if "switch_on" not in self.possible(account) or not self.has_switch_permission(request):
            return [again]
        return [again, (SWITCH_ON.title, reverse(f"{prefix}_switch_on", args=[account.pk]))]

    @action(description=SWITCH_ON.title, icon="power", permissions=["switch"])
    def switch_on(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._switch(request, object_id, SWITCH_ON, accounts.switch_on)

    @action(
        description=APPROVE.title,
        icon="verified_user",
        variant=ActionVariant.PRIMARY,
        permissions=["approve"],
    )
    def approve(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._approve(request, object_id, APPROVE, approvals.approve)

    @action(
        description=APPROVE_CREDENTIALS.title,
        icon="verified_user",
        variant=ActionVariant.PRIMARY,
        permissions=["approve"],
    )
    def approve_credentials(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._approve(request, object_id, APPROVE_CREDENTIALS, approvals.approve_credentials)

    @action(description=REJECT_CREDENTIALS.title, icon="block", permissions=["reject"])
    def reject_credentials(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._approve(request, object_id, REJECT_CREDENTIALS, approvals.reject_credentials)

    @action(description=CONFIRM_CREDENTIALS.title, icon="how_to_reg", permissions=["switch"])
    def confirm_credentials(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._approve(request, object_id, CONFIRM_CREDENTIALS, approvals.confirm_credentials)

    @action(
        description=SWITCH_OFF.title,
        icon="power_off",
        variant=ActionVariant.DANGER,
        permissions=["switch"],
    )
    def switch_off(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._switch(request, object_id, SWITCH_OFF, accounts.switch_off)

    @action(description=SET_ALARM.title, icon="notifications", permissions=["switch"])
    def set_alarm(self, request: HttpRequest, object_id: str) -> HttpResponse:
        account: ProviderAccount = self.get_record(request, object_id)
        asked = replace(SET_ALARM, initial={"alarm_below": account.alarm_below})
        return self._confirm(request, account, asked, set_alarm)

    @action(description=_("Replace credentials"), icon="key", permissions=["rotate"])
    @method_decorator(sensitive_post_parameters())
    def rotate(self, request: HttpRequest, object_id: str) -> HttpResponse:
        account: ProviderAccount = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            accounts.rotate_credentials(
                slug=account.slug,
                credentials=credentials_of(form),
                refuses_old=form["refuses_old"],
                actor=actor(request),
                reason=form["reason"],
                now=clock.now(),
            )
            return self.done(request, account, confirmed)

        confirmed = confirmed_again(
            "rotate",
            _("Replace credentials"),
            ROTATE_LIVE if account.mode == ProviderAccount.Mode.LIVE else ROTATE_SANDBOX,
            carries=False,
            form_class=rotation_form(accounts.get_rail_type(account.provider)),
            initial=public_credentials_of(account),
        )
        return self.confirm_first(request, account, confirmed, perform)

    def _approve(
        self, request: HttpRequest, object_id: str, confirmed: ConfirmedAction, service: Any
    ) -> HttpResponse:
        account: ProviderAccount = self.get_record(request, object_id)
        seen: dict[str, object] = {"digest": approvals.digest_to_approve(account)}
        asked = replace(confirmed, form_class=ApprovalForm, initial=seen)
        return self._confirm(request, account, asked, service)

    def _switch(
        self, request: HttpRequest, object_id: str, confirmed: ConfirmedAction, service: Any
    ) -> HttpResponse:
        return self._confirm(request, self.get_record(request, object_id), confirmed, service)

    def _confirm(
        self,
        request: HttpRequest,
        account: ProviderAccount,
        confirmed: ConfirmedAction,
        service: Any,
    ) -> HttpResponse:
        """The fields of the form are the service's own: the reason, and a digest to approve."""

        def perform(form: Cleaned) -> HttpResponse:
            service(slug=account.slug, actor=actor(request), now=clock.now(), **form)
            return self.done(request, account, confirmed)

        return self.confirm_first(
            request, account, confirmed, perform, rows=_to_compare(account, confirmed)
        )
