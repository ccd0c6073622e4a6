"""What contracts with acquirers say: a check of their files."""

from typing import TYPE_CHECKING

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from payments.console.actions import Cleaned, ConfirmedAction, ReasonForm
from payments.console.code_words import words_column
from payments.console.formatting import actor, amount, percent_column, timestamp_column
from payments.console.model_admins import ReadOnlyAdmin
from payments.console.widgets import DateWidget
from payments.core import clock, money
from payments.core.fields import TypedMoney
from payments.reconciliation.admin.settlement_files import accounts
from payments.reconciliation.models import ProviderTariff
from payments.reconciliation.services.disbursements import tariff_changes

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def _rate(label: "StrOrPromise", help_text: "StrOrPromise") -> forms.DecimalField:
    return forms.DecimalField(
        label=label,
        min_value=0,
        max_value=1,
        max_digits=8,
        decimal_places=6,
        initial=0,
        widget=UnfoldAdminDecimalFieldWidget(),
        help_text=help_text,
    )


class TariffForm(ReasonForm):
    account = forms.ChoiceField(
        label=_("Provider account"), choices=accounts, widget=UnfoldAdminSelectWidget()
    )
    method = forms.CharField(
        label=_("Method"),
        max_length=60,
        required=False,
        widget=UnfoldAdminTextInputWidget(),
        help_text=_("Such as PSE. Empty: every method without a tariff of its own."),
    )
    first_day = forms.DateField(label=_("Counts from"), widget=DateWidget())
    rate = _rate(_("Part of the amount"), _("0.0265 is 2.65 %."))
    fixed = TypedMoney(
        label=_("Fixed part, in pesos"),
        min_value=0,
        max_digits=24,
        decimal_places=2,
        initial=0,
        widget=UnfoldAdminDecimalFieldWidget(),
    )
    vat_rate = _rate(_("IVA of the commission"), _("0.19 is 19 %."))
    income_tax_rate = _rate(_("Retefuente"), _("Of the amount: 0.015 is 1.5 %."))
    ica_rate = _rate(_("ReteICA"), _("Of the amount: 0.00414 is 4.14 per thousand."))

    field_order = ["account", "method", "first_day", "rate", "fixed", "vat_rate"]


ADD = ConfirmedAction(
    verb="add",
    title=_("Add a tariff"),
    explanation=_(
        "It checks the settlement files of the acquirer and changes no amount. It cannot be "
        "changed afterwards: a newer one replaces it from its first day on."
    ),
    submit=_("Add"),
    form_class=TariffForm,
)


@admin.register(ProviderTariff)
class ProviderTariffAdmin(ReadOnlyAdmin):
    created = timestamp_column("created_at", _("created at"))
    shown_if_empty = _(
        "What an acquirer's contract says that it takes. With it, its files are checked."
    )
    list_display = [
        "account",
        "method_shown",
        "first_day",
        "rate_shown",
        "fixed_shown",
        "vat_shown",
        "income_tax_shown",
        "ica_shown",
    ]
    method_shown = words_column("method", _("method"))
    rate_shown = percent_column("rate", _("part of the amount"))
    vat_shown = percent_column("vat_rate", _("IVA of the commission"))
    income_tax_shown = percent_column("income_tax_rate", _("Retefuente"))
    ica_shown = percent_column("ica_rate", _("ReteICA"))
    list_filter = ["account"]
    ordering = ["account_id", "method", "-first_day"]
    list_select_related = ["account"]
    fields = [*list_display, "created_by", "created"]
    readonly_fields = fields

    @display(description=_("fixed part"), ordering="fixed")
    def fixed_shown(self, row: ProviderTariff) -> str:
        return amount(row.fixed, money.FIAT) if row.fixed else "-"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("reconciliation.add_providertariff"))

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
            row = ProviderTariff(account_id=form.pop("account"), **form)
            tariff_changes.add_tariff(row=row, actor=actor(request), reason=reason, now=clock.now())
            return self.done(request, row, ADD)

        return self.confirm_first(request, None, ADD, perform)
