"""Our own accounts with their balances, grouped by kind, and their PUC accounts."""

from django import forms
from django.contrib import admin
from django.db.models import Case, IntegerField, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from payments.console.actions import Cleaned, ConfirmedAction, ReasonForm, right_to
from payments.console.exports.columns import Column
from payments.console.exports.columns import fields as columns
from payments.console.formatting import actor
from payments.ledger.admin.account_tables import AccountTables
from payments.ledger.models import PUC_CODE, Account, SystemAccount
from payments.ledger.services import puc, system_balances
from payments.ledger.services.puc import PucAccount, PucTable

Kind = Account.Kind
# What we have, what we owe, what we earn and spend.
GROUPS = (
    Kind.BANK,
    Kind.TRANSIT,
    Kind.CLEARING,
    Kind.CONVERSION,
    Kind.SUSPENSE,
    Kind.TAXES,
    Kind.FEES,
    Kind.COSTS,
    Kind.LOSSES,
    Kind.EQUITY,
    Kind.SANDBOX,
)
_RANK = Case(
    *(When(kind=kind, then=Value(rank)) for rank, kind in enumerate(GROUPS)),
    default=Value(len(GROUPS)),
    output_field=IntegerField(),
)


class PucForm(ReasonForm):
    code = forms.RegexField(
        PUC_CODE,
        label=_("PUC account"),
        max_length=12,
        error_messages={"invalid": _("Four to twelve digits.")},
        widget=UnfoldAdminTextInputWidget(),
    )
    name = forms.CharField(
        label=_("name of the PUC account"), max_length=100, widget=UnfoldAdminTextInputWidget()
    )
    scope = forms.ChoiceField(
        label=_("Counts for"),
        choices=[("account", _("This account")), ("kind", _("All accounts of this kind"))],
        widget=UnfoldAdminSelectWidget(),
    )
    field_order = ["code", "name", "scope", "reason"]


def puc_action(account: SystemAccount) -> ConfirmedAction:
    shown = PucTable.load().of(account.kind, account.owner)
    return ConfirmedAction(
        verb="change",
        title=_("Change the PUC account"),
        explanation=_("Exports from now on have the new account. Ask your accountant."),
        submit=_("Change"),
        form_class=PucForm,
        initial={**shown._asdict(), "scope": "account"},
    )


@admin.register(SystemAccount)
class SystemAccountAdmin(AccountTables):
    list_display = ["name_shown", "purpose_shown", "balance_shown", "puc_shown"]
    list_filter = ["kind", "currency"]
    search_fields = ["code__icontains"]
    search_help_text = _("Part of the code of an account")
    list_per_page = 200
    fields = [("kind", "puc_shown")]
    readonly_fields = [*list_display, "kind"]
    actions_detail = ["change_puc"]
    has_change_puc_permission = right_to("change")
    ordering = [_RANK.asc(), "code"]
    export_columns = [
        *columns(account="code", kind="kind", currency="currency"),
        Column("balance", lambda row: system_balances.balances_of([row.pk])[row.pk]),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[SystemAccount]:
        accounts: QuerySet[SystemAccount] = super().get_queryset(request)
        return accounts.filter(merchant=None)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        response = super().changelist_view(request, extra_context)
        context = getattr(response, "context_data", None)
        if context is not None and (changes := context.get("cl")) is not None:
            chart = PucTable.load()
            for account in changes.result_list:
                account.puc = chart.of(account.kind, account.owner)
        return response

    @display(description=_("account"))
    def name_shown(self, account: SystemAccount) -> str:
        """Without a mark of the order, which is that of the groups."""
        shown: str = super().name_shown(account)
        return shown

    @display(description=_("PUC account"))
    def puc_shown(self, account: SystemAccount) -> str:
        of: PucAccount | None = getattr(account, "puc", None)
        shown = of or PucTable.load().of(account.kind, account.owner)
        return f"{shown.code} {shown.name}"

    @action(description=_("Change the PUC account"), icon="edit", permissions=["change_puc"])
    def change_puc(self, request: HttpRequest, object_id: str) -> HttpResponse:
        account: SystemAccount = self.get_record(request, object_id)
        confirmed = puc_action(account)

        def perform(form: Cleaned) -> HttpResponse:
            owner = account.owner if form["scope"] == "account" else ""
            puc.change(
                target=puc.target_of(account.kind, owner),
                puc=PucAccount(form["code"], form["name"]),
                actor=actor(request),
                reason=form["reason"],
            )
            return self.done(request, account, confirmed)

        return self.confirm_first(request, account, confirmed, perform)
