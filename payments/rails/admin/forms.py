"""Forms of provider accounts. A credential that was saved is never shown again."""

import json
from typing import Any

from django import forms
from django.http import QueryDict
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
from payments.providers.account import FLAG_ON, Credential, Mode
from payments.providers.rail_type import RailType
from payments.rails.models import SLUG, ProviderAccount
from payments.rails.services.accounts import get_rail_type
from payments.rails.services.errors import PrivateKeyRefused
from payments.rails.services.private_keys import is_private

CREDENTIAL = "credential_"
OWN_ADDRESS = _(
    "Leave it empty: calls then go to the provider's own address. Only a developer's fake has "
    "another one."
)
OWN_NODE = _(
    "Of your node. It may be in your own network, without TLS, such as http://10.0.0.5:8545. Over "
    "the internet it begins with https://."
)


def rotation_form(rail_type: RailType) -> type[ReasonForm]:
    """A form with every credential of the provider."""
    fields = _credential_fields(rail_type)
    order = [*fields, "refuses_old", "reason"]
    return type("RotationForm", (RotationBase,), {**fields, "field_order": order})


class KeepsNoPrivateKey(ReasonForm):
    """The page of a refusal does not repeat a private key that was typed, in any field."""

    def __init__(self, data: QueryDict | None = None, *more: Any, **named: Any) -> None:
        self.private = {
            name
            for name, values in (data.lists() if data is not None else ())
            if any(is_private(one, is_prose=not name.startswith(CREDENTIAL)) for one in values)
        }
        if data is not None and self.private:
            data = data.copy()
            for name in self.private:
                data[name] = ""
        super().__init__(data, *more, **named)

    def clean(self) -> dict[str, Any]:
        for name in self.private & set(self.fields):
            self._errors.pop(name, None)  # type: ignore[attr-defined]
            self.add_error(name, PrivateKeyRefused().shown())
        return self.cleaned_data


class RotationBase(KeepsNoPrivateKey):
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
    """The place where a credential is found is said at the first of those that are there."""
    fields, place = {}, ""
    for one in rail_type.credentials:
        help_text = str(one.help)
        first, stop, rest = help_text.partition(". ")
        if stop and first == place:
            help_text = rest
        fields[f"{CREDENTIAL}{one.name}"] = _field(one, help_text)
        place = first
    return fields


def _field(one: Credential, help_text: str) -> forms.Field:
    told: dict[str, Any] = {
        "label": str(one.label),
        "help_text": help_text,
        "initial": one.default,
    }
    if one.is_flag:
        return forms.BooleanField(widget=UnfoldBooleanWidget(), required=False, **told)
    told["required"] = not one.is_optional
    if one.choices:
        empty = [("", "-")] if one.is_optional or not one.default else []
        choices = [*empty, *one.choices]
        return forms.ChoiceField(choices=choices, widget=UnfoldAdminSelectWidget(), **told)
    hidden = UnfoldAdminPasswordWidget(attrs={"autocomplete": "off"})
    widget = UnfoldAdminTextInputWidget() if one.is_public else hidden
    return forms.CharField(max_length=500, widget=widget, **told)


def account_form(rail_type: RailType) -> type[ReasonForm]:
    fields: dict[str, forms.Field] = {
        "label": forms.CharField(
            label=_("Label"), max_length=60, widget=UnfoldAdminTextInputWidget()
        ),
        "slug": forms.CharField(
            label=_("Name in URLs"),
            max_length=30,
            validators=[SLUG],
            help_text=_(
                "It cannot be changed: it is part of the address that you paste at the provider."
            ),
            widget=UnfoldAdminTextInputWidget(),
        ),
        "mode": forms.ChoiceField(
            label=_("Mode"),
            choices=ProviderAccount.Mode.choices,
            initial=Mode.SANDBOX,
            widget=UnfoldAdminSelectWidget(),
        ),
    }
    address: dict[str, forms.Field] = {
        "base_url": forms.CharField(
            label=_("Address of the rail"),
            max_length=200,
            required=rail_type.is_own_node,
            help_text=OWN_NODE if rail_type.is_own_node else OWN_ADDRESS,
            widget=UnfoldAdminTextInputWidget(),
        ),
    }
    credentials = _credential_fields(rail_type)
    # Only who has a node of their own must name it.
    is_first = rail_type.is_own_node
    order = [*fields, *(address if is_first else ()), *credentials]
    order += [] if is_first else [*address]
    return type(
        "AccountForm",
        (KeepsNoPrivateKey,),
        {**fields, **address, **credentials, "field_order": [*order, "reason"]},
    )


def public_credentials_of(account: ProviderAccount) -> dict[str, object]:
    """Those that may be shown again, by the fields of a form."""
    given = json.loads(account.credentials)
    return {
        f"{CREDENTIAL}{one.name}": given.get(one.name, "")
        for one in get_rail_type(account.provider).credentials
        if one.is_public
    }


def credentials_of(cleaned: dict[str, Any]) -> dict[str, str]:
    """A flag is a boolean in the form."""
    return {
        name.removeprefix(CREDENTIAL): (FLAG_ON if value else "")
        if isinstance(value, bool)
        else value
        for name, value in cleaned.items()
        if name.startswith(CREDENTIAL)
    }
