"""Confirmed actions: a page asks first, then the action runs once."""

import secrets
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextareaWidget

from payments.console.registry import Text

_DONE = "console_forms_done"
_DONE_KEPT = 50


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=_("Reason"),
        min_length=3,
        max_length=500,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text=_("Kept in the audit log with your name."),
    )


Cleaned = dict[str, Any]  # the cleaned data of a form


@dataclass(frozen=True, kw_only=True)
class ConfirmedAction:
    """A page that asks before something is done.

    verb   the right it needs on the page's model ("approve" is payout.approve_payout on payouts).
    needs_reauthentication   for keys, secrets, money and rights.
    """

    verb: str
    title: Text
    explanation: Text
    submit: Text
    danger: bool = False
    form_class: type[forms.Form] = ReasonForm
    initial: dict[str, Any] | None = None
    needs_reauthentication: bool = False


def right_to(verb: str) -> Any:
    """`has_approve_permission = right_to("approve")`, for an action's `permissions=["approve"]`."""

    def has_permission(page: Any, request: HttpRequest, obj: object = None) -> bool:
        return bool(page.has_right(request, verb))

    return has_permission


ALREADY_SENT = _(
    "This form was sent already; nothing was done again. Open the page again to repeat."
)


def new_form_token() -> str:
    """Not a secret."""
    return secrets.token_urlsafe(9)


def claim_form(request: HttpRequest) -> bool:
    """True for the first POST of this form, False for a reload."""
    token = request.POST.get("form_token", "")
    done = request.session.get(_DONE, [])
    if not token or token in done:
        return False
    request.session[_DONE] = [*done, token[:40]][-_DONE_KEPT:]
    return True
