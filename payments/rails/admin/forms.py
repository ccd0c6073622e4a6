"""Forms of provider accounts. A credential that was saved is never shown again."""

import json

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminPasswordWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from payments.console.actions import ReasonForm
from payments.core.fields import TypedMoney
from payments.providers.account import Mode
from payments.providers.rail_type import RailType
from payments.rails.models import SLUG, ProviderAccount
from payments.rails.services.accounts import get_rail_type

CREDENTIAL = "credential_"


def rotation_form(rail_type: RailType) -> type[ReasonForm]:
    """A form with every credential of the provider."""
    fields = _credential_fields(rail_type)
    order = [*fields, "refuses_old", "reason"]
    return type("RotationForm", (RotationBase,), {**fields, "field_order": order})


class RotationBase(ReasonForm):
    refuses_old = forms.BooleanField(
        label=_("The old secret leaked: refuse it now"),
        required=False,
        help_text=_("Callbacks that are signed with the old credentials are then refused."),
        widget=UnfoldBooleanWidget(),
    )


class ApprovalForm(ReasonForm):
    """`digest` is that of the credentials that the page was about."""

    digest = forms.CharField(widget=forms.HiddenInput())


class AlarmForm(ReasonForm):
    alarm_below = TypedMoney(
        label=_("Alarm below, in pesos"),
        required=False,
        min_value=0,
        max_digits=15,
        decimal_places=2,
        help_text=_("Empty: the amount of the settings. Payouts that wait are added to it."),
        widget=UnfoldAdminDecimalFieldWidget(),
    )
    field_order = ["alarm_below", "reason"]


def _credential_fields(rail_type: RailType) -> dict[str, forms.Field]:
    return {
        f"{CREDENTIAL}{one.name}": forms.CharField(
            label=str(one.label),
            help_text=str(one.help),
            required=not one.is_optional,
            max_length=500,
            widget=UnfoldAdminTextInputWidget()
            if one.is_public
            else UnfoldAdminPasswordWidget(attrs={"autocomplete": "off"}),
        )
        for one in rail_type.credentials
    }


def account_form(rail_type: RailType) -> type[ReasonForm]:
    fields: dict[str, forms.Field] = {
        "label": forms.CharField(
            label=_("Label"), max_length=60, widget=UnfoldAdminTextInputWidget()
        ),
        "slug": forms.CharField(
            label=_("Name in URLs"),
            max_length=30,
            validators=[SLUG],
            help_text=_("For ever: it is part of the address that you paste at the provider."),
            widget=UnfoldAdminTextInputWidget(),
        ),
        "mode": forms.ChoiceField(
            label=_("Mode"),
            choices=ProviderAccount.Mode.choices,
            initial=Mode.SANDBOX,
            widget=UnfoldAdminSelectWidget(),
        ),
        "base_url": forms.CharField(
            label=_("Address of the rail"),
            max_length=200,
            required=False,
            help_text=_(
                "Empty for the provider's own. In a sandbox it may be that of a fake, such as "
                "http://127.0.0.1:9000/v1."
            ),
            widget=UnfoldAdminTextInputWidget(),
        ),
    }
    credentials = _credential_fields(rail_type)
    return type(
        "AccountForm",
        (ReasonForm,),
        {**fields, **credentials, "field_order": [*fields, *credentials, "reason"]},
    )


def public_credentials_of(account: ProviderAccount) -> dict[str, object]:
    """Those that may be shown again, by the fields of a form."""
    given = json.loads(account.credentials)
    return {
        f"{CREDENTIAL}{one.name}": given.get(one.name, "")
        for one in get_rail_type(account.provider).credentials
        if one.is_public
    }


def credentials_of(cleaned: dict[str, str]) -> dict[str, str]:
    return {
        name.removeprefix(CREDENTIAL): value
        for name, value in cleaned.items()
        if name.startswith(CREDENTIAL)
    }
