"""Confirmed actions: a page asks for confirmation, then the action runs once."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextareaWidget

from payments.console import tenancy
from payments.console.formatting import known_as
from payments.console.registry import Text

_DONE = "console_forms_done"
_DONE_KEPT = 50
KEPT = _("Kept in the audit log with your name.")
KEPT_IN_HISTORY = _("Kept in the history with your name.")


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=_("Reason"),
        min_length=3,
        max_length=500,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text=KEPT,
    )


class OptionalReasonForm(ReasonForm):
    """Of everyday steps about the person's own team and money."""

    reason = forms.CharField(
        label=_("Reason (optional)"),
        max_length=500,
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text=KEPT_IN_HISTORY,
    )


# Where the facts of an action stand. A redirect and a login that is asked for again show none.
ACTION_PAGE = "admin/confirmed_action.html"


def shows_facts(response: HttpResponse) -> bool:
    return getattr(response, "template_name", "") == ACTION_PAGE


def require_reason(form: forms.Form) -> None:
    """Of operators: they decide over others' people and money, also where the form is shared."""
    if isinstance(form, OptionalReasonForm):
        form.fields["reason"] = ReasonForm().fields["reason"]


def use_words_of_merchants(form: forms.Form) -> None:
    """They have no page of the audit log."""
    if (reason := form.fields.get("reason")) is not None and reason.help_text == KEPT:
        reason.help_text = KEPT_IN_HISTORY


def said(confirmed: "ConfirmedAction", subject: object = None) -> str:
    """What the page says after an action. `%s` in a sentence of its own is the record."""
    if own := str(confirmed.done):
        return own % (_known_as(subject) or subject) if "%s" in own else own
    named = {"action": confirmed.title, "record": _known_as(subject)}
    if not named["record"]:
        return gettext("Ready. %(action)s.") % named
    return gettext("Ready. %(action)s: %(record)s.") % named


def _known_as(subject: object) -> str:
    """As `known_as`, or else the text of the record. Empty if it has its id only."""
    if named := known_as(subject):
        return named
    shown = "" if subject is None else str(subject)
    return "" if shown == str(getattr(subject, "pk", "")) else shown


Cleaned = dict[str, Any]  # the cleaned data of a form


@dataclass(frozen=True, kw_only=True)
class ConfirmedAction:
    """An action with a page that asks for confirmation.

    verb   the right it needs on the page's model ("approve" is payout.approve_payout on payouts).
    done   what the page says after it, with %s for the record. Empty: a general sentence.
    needs_reauthentication   for keys, secrets, money and rights.
    warns     it cannot be done twice, and it is not dangerous: its explanation is amber.
    menu      the model under whose list people of one merchant find it, if not on their account.
    carries   False if the form takes secrets or a file. Then the password is asked for before the
    form is shown, and the page that asks for it never has what was typed.
    """

    verb: str
    title: Text
    explanation: Text
    submit: Text
    danger: bool = False
    warns: bool = False
    form_class: type[forms.Form] = ReasonForm
    initial: dict[str, object] | None = None
    done: Text = ""
    needs_reauthentication: bool = False
    carries: bool = True
    menu: str = ""


def add_errors(form: forms.Form, error: ValidationError) -> None:
    """Also those of fields that the form does not have: they stand above it, with their names."""
    if not hasattr(error, "error_dict"):
        form.add_error(None, error)
        return
    for field, texts in error.message_dict.items():
        is_known = field in form.fields or field == NON_FIELD_ERRORS
        for text in texts:
            form.add_error(field if is_known else None, text if is_known else f"{field}: {text}")


class HasRights(Protocol):
    def has_right(self, request: HttpRequest, verb: str) -> bool: ...


def right_to(verb: str) -> Callable[..., bool]:
    """`has_approve_permission = right_to("approve")`, for an action's `permissions=["approve"]`."""

    def has_permission(page: HasRights, request: HttpRequest, obj: object = None) -> bool:
        return page.has_right(request, verb)

    return has_permission


def own_right_to(verb: str) -> Callable[..., bool]:
    """As `right_to`, for people of merchants only: superusers hold every right."""

    def has_permission(page: HasRights, request: HttpRequest, obj: object = None) -> bool:
        return tenancy.is_merchant_user(request) and page.has_right(request, verb)

    return has_permission


ALREADY_SENT = _(
    "This form was sent already; nothing was done again. Open the page again to repeat."
)


def new_form_token() -> str:
    """Identifies one display of a form. The token is not a secret."""
    return secrets.token_urlsafe(9)


def claim_form(request: HttpRequest) -> bool:
    """True for the first POST of this form, False for a reload."""
    token = request.POST.get("form_token", "")
    done = request.session.get(_DONE, [])
    if not token or token in done:
        return False
    request.session[_DONE] = [*done, token[:40]][-_DONE_KEPT:]
    return True
