"""The operator's own bank accounts. They are never changed: another number is another account."""

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from payments.console.actions import Cleaned, ConfirmedAction, ReasonForm, said
from payments.console.formatting import actor, amount, link, table, timestamp_column
from payments.console.model_admins import ReadOnlyAdmin
from payments.core import clock, days
from payments.rails.models import ProviderAccount
from payments.reconciliation.models import BankAccount
from payments.reconciliation.services import bank_accounts, chain


def _text(label: Any, length: int, **given: Any) -> forms.CharField:
    widget = UnfoldAdminTextInputWidget()
    return forms.CharField(label=label, max_length=length, widget=widget, **given)


class BankAccountForm(ReasonForm):
    slug = _text(
        _("Name in URLs"),
        30,
        help_text=_("Lower-case letters, digits and dashes, such as bancolombia."),
    )
    label = _text(_("Label"), 60)
    bank_code = _text(_("Bank"), 4, help_text=_("Code of ACH Colombia, such as 1007."))
    number = _text(_("Account number"), 20, help_text=_("As the statements of the bank have it."))
    account_type = forms.ChoiceField(
        label=_("Account type"),
        choices=BankAccount.Type.choices,
        widget=UnfoldAdminSelectWidget(),
    )
    holder = _text(_("Holder"), 100)
    document = _text(_("NIT of the holder"), 20)

    field_order = [
        *("slug", "label", "bank_code", "number", "account_type", "holder", "document", "reason")
    ]


ADD = ConfirmedAction(
    verb="add",
    needs_reauthentication=True,
    title=_("Add bank account"),
    explanation=_(
        "Statements with this number belong to it. What payers see is entered with the provider "
        "account of the same bank and number."
    ),
    submit=_("Add"),
    form_class=BankAccountForm,
)


@admin.register(BankAccount)
class BankAccountAdmin(ReadOnlyAdmin):
    created = timestamp_column("created_at", _("created at"))
    shown_if_empty = _(
        "Our own accounts at banks. Add one, and import its statements: each movement is then "
        "matched to the books."
    )
    list_display = ["slug", "label", "bank_code", "number", "account_type", "holder", "created"]
    ordering = ["slug"]
    fields = [
        ("slug", "label"),
        ("bank_code", "number"),
        "account_type",
        ("holder", "document"),
        ("created_by", "created"),
    ]
    readonly_fields = ["created"]
    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_right(request, "add")

    def add_view(
        self,
        request: HttpRequest,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied

        def perform(form: Cleaned) -> HttpResponse:
            reason = form.pop("reason")
            bank_accounts.create_bank_account(
                new=bank_accounts.NewBankAccount(**form),
                actor=actor(request),
                reason=reason,
                now=clock.now(),
            )
            self.message_user(request, said(ADD))
            return redirect("admin:reconciliation_bankaccount_changelist")

        return self.confirm_first(request, None, ADD, perform)

    def related_tables(self, row: BankAccount) -> list[dict[str, Any]]:
        newest = row.files.order_by("-last_day", "-pk").first()
        balance = chain.balance_after(row, days.day_of(clock.now()))
        facts = [
            [gettext("Last statement"), link(newest)],
            [gettext("Imported until"), newest.last_day.isoformat() if newest else "-"],
            [gettext("Balance"), amount(balance, "COP")],
        ]
        return [table(gettext("Statements"), [], facts), self._provider_accounts(row)]

    def _provider_accounts(self, row: BankAccount) -> dict[str, Any]:
        slugs = [slug for found in bank_accounts.accounts_of(row).values() for slug in found]
        accounts = ProviderAccount.objects.filter(pk__in=slugs).order_by("pk")
        rows = [[link(one), one.provider, one.get_status_display()] for one in accounts]
        return table(gettext("Provider accounts that use it"), [], rows)

    def timeline_lines(self, row: BankAccount) -> None:
        return None
