"""Console pages of top-ups, mobile operators and terms."""

from pathlib import Path
from typing import ClassVar

from django import forms
from django.contrib import admin
from django.contrib.staticfiles import finders
from django.db.models import QuerySet
from django.db.models.functions import Lower
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from payments.console.amount_field import PesosField
from payments.console.exports.columns import fields, personal
from payments.console.formatting import link
from payments.console.money_admin import WHOSE_AND_WHEN
from payments.console.timeline import add_methods
from payments.core import masking, money
from payments.core.text import colombian_mobile
from payments.outgoing.admin import export
from payments.outgoing.admin.catalogue import CodesForm, LimitsAdmin, LimitsForm, OneTermsAdmin
from payments.outgoing.admin.payments import OutgoingAdmin, Section
from payments.topup.models import LOGO_OF_OTHERS, Operator, TopUp, TopUpTerms, logo_path
from payments.topup.services.engine import engine

add_methods({"TOPUP": _("Top-up")})


@admin.register(TopUp)
class TopUpAdmin(OutgoingAdmin):
    empty_text = _("Top-ups of mobile phones that your shop sells over the API.")
    shown_if_empty = _("Top-ups of mobile phones that merchants sell over the API.")
    engine = engine
    related = ("operator",)
    list_display = [*OutgoingAdmin.list_display, "operator_link", "phone_masked"]
    list_filter = ["status", "operator", *WHOSE_AND_WHEN]
    search_help_text = _("Id, idempotency key, reference at the provider, or phone")
    search_help_for_merchants = _("Phone, or id")
    own_sections: ClassVar[list[Section]] = [
        (_("Phone"), {"fields": [("operator_link", "phone_masked"), "code_at_rail"]})
    ]
    private = ((_("phone"), lambda row: row.phone),)
    private_fields = frozenset({"phone"})
    export_columns = export.columns(
        "topup",
        [
            *fields(operatorCode="operator_id", operator="operator_name"),
            *personal(masking.tail, phone="phone"),
        ],
    )

    def search_by(self, term: str) -> QuerySet[TopUp] | None:
        phone = colombian_mobile(term)
        return TopUp.objects.filter(phone=phone) if phone else None

    def beneficiary(self, payment: TopUp) -> str:
        return f"{payment.operator_name} · {masking.tail(payment.phone)}"

    def ticket_facts(self, payment: TopUp) -> dict[Promise, str]:
        return {_("operator"): payment.operator_name, _("phone"): masking.tail(payment.phone)}

    @display(description=_("operator"))
    def operator_link(self, topup: TopUp) -> str | SafeString:
        return link(topup.operator, topup.operator_name)

    @display(description=_("operator's code at the rail"))
    def code_at_rail(self, topup: TopUp) -> str:
        return topup.rail_code

    @display(description=_("phone"))
    def phone_masked(self, topup: TopUp) -> str:
        return masking.tail(topup.phone)


def logo_choices() -> list[tuple[str, str]]:
    folder = finders.find(str(Path(logo_path(LOGO_OF_OTHERS)).parent))
    names = sorted(file.stem for file in Path(str(folder)).glob("*.svg")) if folder else []
    return [(name, name) for name in names]


class OperatorForm(LimitsForm, CodesForm):
    max_amount = PesosField(label=_("Maximum"), required=False, may_be_zero=True)
    logo = forms.ChoiceField(
        label=_("Logo"),
        choices=logo_choices,
        widget=UnfoldAdminSelectWidget(),
        initial=LOGO_OF_OTHERS,
    )

    class Meta:
        model = Operator
        amounts = ["min_amount", "max_amount", "allowed_amounts"]
        fields = ["code", "name", "logo", "is_enabled", *amounts, "codes"]
        widgets = {"allowed_amounts": UnfoldAdminTextInputWidget()}


@admin.register(Operator)
class OperatorAdmin(LimitsAdmin):
    """The operators of GET /topup/operators, with their codes at each rail."""

    form = OperatorForm
    list_display = ["name", "code_shown", "is_enabled", "least", "most", "packages", "codes_text"]
    list_filter = ["is_enabled"]
    search_fields = ["code__icontains", "name__icontains"]
    ordering = (Lower("name"),)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("topup.add_operator"))

    def get_readonly_fields(self, request: HttpRequest, obj: Operator | None = None) -> list[str]:
        """Merchants keep the code: it never changes."""
        return ["code"] if obj is not None else []

    @display(description=_("code"), ordering="code")
    def code_shown(self, operator: Operator) -> str:
        return operator.code

    @display(description=_("amounts that are sold"))
    def packages(self, operator: Operator) -> str:
        amounts = [money.grouped(str(each)) for each in operator.allowed_amounts]
        return " · ".join(amounts) or gettext("any")


@admin.register(TopUpTerms)
class TopUpTermsAdmin(OneTermsAdmin):
    """One row. Switched off: POST /topup is 503; top-ups on their way go on."""

    list_display = ["title", *OneTermsAdmin.list_display]
