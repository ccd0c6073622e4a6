"""Forms of the team: who is invited, with which roles."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminEmailInputWidget,
    UnfoldAdminTextInputWidget,
)

from merchants.team import grants
from payments.console import roles
from payments.console.actions import OptionalReasonForm


def choices(names: Sequence[str]) -> list[tuple[str, str]]:
    return [(name, roles.described(name)) for name in names]


class RolesForm(OptionalReasonForm):
    roles = forms.MultipleChoiceField(
        label=_("Roles"),
        choices=lambda: choices(grants.OF_MERCHANTS),
        widget=UnfoldAdminCheckboxSelectMultipleWidget(),
        help_text=_(
            "One is enough: every role sees all of the merchant and requests refunds. The role of "
            "approver waits until a second person has agreed."
        ),
    )
    field_order = ["roles", "reason"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """The style sheet shows the second label once the role of approver is ticked."""
        super().__init__(*args, **kwargs)
        shown = '<span class="reason-free">{}</span><span class="reason-needed">{}</span>'
        needed = gettext("Reason: the second person decides by it")
        self.fields["reason"].label = format_html(shown, self.fields["reason"].label, needed)

    def clean(self) -> dict[str, Any]:
        """The second person decides by the reason."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if roles.MERCHANT_APPROVER in cleaned.get("roles", ()) and not cleaned.get("reason"):
            self.add_error("reason", _("The role of approver needs a reason."))
        return cleaned


class InviteForm(RolesForm):
    name = forms.CharField(label=_("Name"), max_length=150, widget=UnfoldAdminTextInputWidget())
    email = forms.EmailField(
        label=_("E-mail"), max_length=150, widget=UnfoldAdminEmailInputWidget()
    )
    field_order = ["name", "email", "roles", "reason"]

    def clean_name(self) -> str:
        """One line, because it stands in the mail."""
        return " ".join(str(self.cleaned_data["name"]).split())


OF_BOTH = _(
    "With Finance and Approver together a person prepares and approves, but never approves a "
    "request of their own: a second person is needed all the same."
)


def invite_operator_form(offered: Sequence[str]) -> type[InviteForm]:
    """With the roles that this operator may give."""
    field = forms.MultipleChoiceField(
        label=_("Roles"),
        choices=lambda: choices(offered),
        widget=UnfoldAdminCheckboxSelectMultipleWidget(),
        help_text=OF_BOTH if set(offered) >= roles.MONEY else "",
    )
    return type("InviteOperatorForm", (InviteForm,), {"roles": field})
