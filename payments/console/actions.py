"""A page that asks before something is done, and does it once."""

import secrets
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextareaWidget

# Forms already sent, kept in the session, so that a reload cannot act twice.
_DONE = "console_forms_done"
_DONE_KEPT = 50


class ReasonForm(forms.Form):
    """Why the operator acts; kept in the audit log."""

    reason = forms.CharField(
        label=_("Reason"),
        min_length=3,
        max_length=500,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text=_("Kept in the audit log with your name."),
    )


@dataclass(frozen=True, kw_only=True)
class ConfirmedAction:
    """A page that asks before something is done.

    verb    the right it needs on the page's model, as payments.console.roles has it ("approve" is
            payout.approve_payout on payouts); empty: that of changing the model.
    fresh   whether the password must have been given just now: keys, secrets, money, rights.
    """

    title: Any
    explanation: Any
    submit: Any
    danger: bool = False
    form_class: type[forms.Form] = ReasonForm
    initial: dict[str, Any] | None = None
    verb: str = ""
    fresh: bool = False


def right_to(verb: str) -> Any:
    """`has_approve_permission = right_to("approve")`, for an act's `permissions=["approve"]`."""

    def has_permission(page: Any, request: HttpRequest, obj: object = None) -> bool:
        return bool(page.may(request, verb))

    return has_permission


ALREADY_SENT = _(
    "This form was sent already; nothing was done again. Open the page again to repeat."
)


def new_form_token() -> str:
    """Names one showing of a form; not a secret."""
    return secrets.token_urlsafe(9)


def claim_form(request: HttpRequest) -> bool:
    """True for the first POST of this showing of the form, False for a reload of its answer."""
    token = request.POST.get("form_token", "")
    done = request.session.get(_DONE, [])
    if not token or token in done:
        return False
    request.session[_DONE] = [*done, token[:40]][-_DONE_KEPT:]
    return True
