"""What people confirm about a provider account."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from payments.console.actions import ConfirmedAction
from payments.console.registry import Text
from payments.rails.admin.forms import AlarmForm


def confirmed_again(verb: str, title: Text, explanation: Text, **more: Any) -> ConfirmedAction:
    return ConfirmedAction(
        verb=verb,
        needs_reauthentication=True,
        title=title,
        explanation=explanation,
        submit=title,
        **more,
    )


SWITCH_ON = confirmed_again(
    "switch",
    _("Switch on"),
    _("New payments may go over this account. A live account waits for another person first."),
)
APPROVE = confirmed_again(
    "approve",
    _("Approve live account"),
    _("From now on this account moves real money."),
    danger=True,
)
APPROVE_CREDENTIALS = confirmed_again(
    "approve",
    _("Approve new credentials"),
    _("From now on calls use them, and callbacks that they sign are believed."),
    danger=True,
)
REJECT_CREDENTIALS = confirmed_again(
    "reject",
    _("Reject new credentials"),
    _("They wait no longer, and are forgotten. The credentials that serve stay as they are."),
)
CONFIRM_CREDENTIALS = confirmed_again(
    "switch",
    _("Confirm declared credentials"),
    _("You stand behind the credentials that the deployment declares. Another person approves."),
)
SWITCH_OFF = confirmed_again(
    "switch",
    _("Switch off"),
    _("No new payment goes over this account. Payments that it has already are finished."),
    done=_("%s is off."),
    danger=True,
)

SET_ALARM = confirmed_again(
    "switch",
    _("Balance alarm"),
    _("Operators are told when less than this is left beside the payments that wait."),
    form_class=AlarmForm,
)
ROTATE_SANDBOX = _(
    "Calls use the new ones at once. Callbacks may be signed with the old ones for two days. Enter "
    "all of them, also those that stay the same."
)
ROTATE_LIVE = _(
    "The new ones wait until another person approves them; until then the old ones serve. After "
    "that callbacks may be signed with the old ones for two days. Enter all of them, also those "
    "that stay the same."
)
