"""What lets money out of a merchant, and who may do it in the console.

No role holds the right `merchants.outgoing_merchant`: with it, one administrator could take the
rule of approval away, issue a key for payouts, and pay themselves.
"""

from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget, UnfoldAdminTextInputWidget

from merchants import services
from merchants.models import Permission
from payments.console.actions import ReasonForm
from payments.console.model_admins import ConsoleAdmin


class OutgoingForm(forms.ModelForm):
    """The part of a merchant's form that asks whether this person may open the way out."""

    # Set for each request by OutgoingPages; closed wherever somebody forgets it.
    may_let_out = False

    def clean(self) -> dict[str, Any] | None:
        """The instance still has what was there before."""
        cleaned: dict[str, Any] | None = super().clean()
        if not self.may_let_out:
            for name in services.lets_out(self.instance, self.cleaned_data):
                self.add_error(name, gettext("This lets money out: ask a superuser to do it."))
        return cleaned


class ApiKeyForm(ReasonForm):
    """What the new key may do, and what it is for."""

    label = forms.CharField(
        label=_("Label"),
        max_length=100,
        required=False,
        widget=UnfoldAdminTextInputWidget(),
        help_text=_("What the key is for, e.g. “online shop”."),
    )
    permissions = forms.MultipleChoiceField(
        label=_("Permissions"),
        choices=Permission.choices,
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget(),
        help_text=_("Collecting and reading need none."),
    )

    field_order = ["label", "permissions", "reason"]


class PlainKeyForm(ApiKeyForm):
    """For who may not let money out: no permission is offered, and none is taken."""

    permissions = forms.MultipleChoiceField(
        label=_("Permissions"),
        choices=[],
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget(),
        help_text=_("None. A key that creates payouts is issued by a superuser."),
    )


class OutgoingPages(ConsoleAdmin):
    """Knows who may let money out."""

    def may_let_out(self, request: HttpRequest) -> bool:
        """See the module."""
        return self.may(request, "outgoing")

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Django makes a class of its own for each request."""
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.may_let_out = self.may_let_out(request)
        return form

    def key_form(self, request: HttpRequest) -> type[ApiKeyForm]:
        """What this person fills in to issue a key."""
        return ApiKeyForm if self.may_let_out(request) else PlainKeyForm
