"""Console pages of the payout catalogue: methods with fees and limits, banks, the main switch."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console.actions import ReasonForm
from payments.console.formatting import on_off
from payments.outgoing.admin.catalogue import CatalogueAdmin, CodesForm, TermsAdmin, TermsForm
from payments.payout.models import Bank, PayoutMethod, PayoutSwitch


class MethodForm(TermsForm):
    class Meta(TermsForm.Meta):
        model = PayoutMethod
        fields = ["label", *TermsForm.Meta.fields]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """The labels that the service begins with are words of ours, shown in translation."""
        super().__init__(*args, **kwargs)
        if self.instance.label:
            self.initial["label"] = gettext(self.instance.label)

    def clean_label(self) -> str:
        """A label that was only shown in another language is not changed."""
        label, kept = str(self.cleaned_data["label"]), self.instance.label
        return kept if kept and label == gettext(kept) else label


class BankForm(CodesForm):
    class Meta:
        model = Bank
        fields = ["slug", "name", "is_enabled", "codes"]
        labels: ClassVar[dict[str, Any]] = {"slug": _("code of the bank")}
        help_texts: ClassVar[dict[str, Any]] = {
            "is_enabled": _(
                "Off: merchants do not see the bank any more, and new payouts to it are refused. "
                "Payouts that exist already go on."
            )
        }


class SwitchForm(ReasonForm, forms.ModelForm):
    class Meta:
        model = PayoutSwitch
        fields = ["is_enabled"]


@admin.register(PayoutMethod)
class PayoutMethodAdmin(TermsAdmin):
    """The methods of GET /payout/methods."""

    form = MethodForm
    list_display = ["label_shown", "network", *TermsAdmin.list_display]
    ordering = ["method"]
    readonly_fields = ["network"]

    def title(self, terms: Any) -> str:
        return str(terms)

    @display(description=_("label"), ordering="label")
    def label_shown(self, method: PayoutMethod) -> str:
        return str(method)


@admin.register(Bank)
class BankAdmin(CatalogueAdmin):
    """The banks of GET /payout/methods, with their codes at each rail."""

    form = BankForm
    list_display = ["name", "code_shown", "is_enabled", "codes_text"]
    list_filter = ["is_enabled"]
    search_fields = ["slug__icontains", "name__icontains"]
    ordering = (Lower("name"),)

    def head(self, row: Bank) -> dict[str, Any] | None:
        facts: list[tuple[object, object]] = [
            (gettext("code of the bank"), row.slug),
            (gettext("codes by rail"), self.codes_text(row)),
            *self.last_change(row),
        ]
        return {"amount": row.name, "state": on_off(row.is_enabled), "facts": facts}

    @display(description=_("code of the bank"), ordering="slug")
    def code_shown(self, bank: Bank) -> str:
        return bank.slug

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("payout.add_bank"))

    def get_readonly_fields(self, request: HttpRequest, obj: Bank | None = None) -> list[str]:
        """Merchants store the slug, so it never changes."""
        return ["slug"] if obj is not None else []


@admin.register(PayoutSwitch)
class PayoutSwitchAdmin(CatalogueAdmin):
    """One row.

    If it is off, POST /payout is 503 PAYOUT_DISABLED, and payouts in progress continue.
    """

    form = SwitchForm
    list_display = ["name", "is_enabled", "what_it_does"]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """There is one row, so its page takes the place of the list."""
        switch = PayoutSwitch.objects.first()
        if switch is None or not self.has_view_permission(request):
            return super().changelist_view(request, extra_context)
        return redirect("admin:payout_payoutswitch_change", switch.pk)

    def title_of(self, row: PayoutSwitch) -> object:
        return self.name(row)

    def alarms(self, row: PayoutSwitch) -> list[object]:
        if row.is_enabled:
            return []
        return [gettext("Payouts are paused: new ones are refused. Those under way continue.")]

    def head(self, row: PayoutSwitch) -> dict[str, Any] | None:
        facts = [(gettext("what it does"), self.what_it_does(row)), *self.last_change(row)]
        return {"amount": self.name(row), "state": on_off(row.is_enabled), "facts": facts}

    @display(description=_("payout switch"))
    def name(self, switch: PayoutSwitch) -> str:
        return gettext("Payouts of all merchants")

    @display(description=_("what it does"))
    def what_it_does(self, switch: PayoutSwitch) -> str:
        return gettext("Off: new payouts are refused. Those under way continue.")
