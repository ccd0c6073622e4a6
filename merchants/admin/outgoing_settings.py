"""Outgoing payments of a merchant: who may enable them in the console.

No role has the right `merchants.outgoing_merchant`: with it, one administrator could remove the
rule of approval, issue a key for payouts, and pay themselves.
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
    """The part of a merchant's form that refuses what this person may not enable."""

    # Set for each request by OutgoingPages.
    may_unlock_outgoing = False

    def clean(self) -> dict[str, object]:
        # `super().clean()` has not changed the instance yet: it still has the old values.
        super().clean()
        if not self.may_unlock_outgoing:
            for name in services.outgoing_unlocks(self.instance, self.cleaned_data):
                self.add_error(
                    name,
                    gettext("This lets money out: ask a main administrator."),
                )
        return self.cleaned_data


class ApiKeyForm(ReasonForm):
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


class ReadOnlyKeyForm(ApiKeyForm):
    """For a person who may not enable outgoing payments: the new key creates no payouts."""

    permissions = forms.MultipleChoiceField(
        label=_("Permissions"),
        choices=[(Permission.WEBHOOK_MANAGE.value, Permission.WEBHOOK_MANAGE.label)],
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget(),
        help_text=_(
            "Collecting and reading need none. A key that creates payouts is issued by a main "
            "administrator."
        ),
    )


class OutgoingPages(ConsoleAdmin):
    def may_unlock_outgoing(self, request: HttpRequest) -> bool:
        return self.has_right(request, "outgoing")

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Django makes a separate form class for each request."""
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.may_unlock_outgoing = self.may_unlock_outgoing(request)
        return form

    def key_form(self, request: HttpRequest) -> type[ApiKeyForm]:
        form = ApiKeyForm if self.may_unlock_outgoing(request) else ReadOnlyKeyForm
        if self.has_right(request, "webhook"):
            return form
        return _without_webhooks(form)


def _without_webhooks(form: type[ApiKeyForm]) -> type[ApiKeyForm]:
    """For a person who may not change webhooks: the new key changes none either."""
    left = [each for each in Permission if each != Permission.WEBHOOK_MANAGE]
    offered = [] if form is ReadOnlyKeyForm else left
    field = forms.MultipleChoiceField(
        label=_("Permissions"),
        choices=[(each.value, each.label) for each in offered],
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget(),
        help_text=form.base_fields["permissions"].help_text,
    )
    return type(form.__name__, (form,), {"permissions": field, "__module__": __name__})
