"""What people confirm about a merchant's account."""

from django.utils.translation import gettext_lazy as _

from merchants.admin.outgoing_settings import ApiKeyForm
from payments.console.actions import ConfirmedAction

REGENERATE = ConfirmedAction(
    verb="regenerate",
    needs_reauthentication=True,
    title=_("Regenerate webhook secret"),
    explanation=_(
        "From the next attempt on, webhooks are signed with the new secret. The merchant's "
        "receiver refuses them until it knows it. The old secret cannot be brought back."
    ),
    submit=_("Regenerate"),
    danger=True,
)
ISSUE = ConfirmedAction(
    verb="issue",
    needs_reauthentication=True,
    title=_("Issue API key"),
    explanation=_("The secret is shown once, on the next page. It cannot be read again later."),
    submit=_("Issue key"),
    form_class=ApiKeyForm,
)
DEACTIVATE = ConfirmedAction(
    verb="activate",
    needs_reauthentication=True,
    title=_("Deactivate merchant"),
    explanation=_(
        "All requests of this merchant get 401 MERCHANT_NOT_ACTIVE at once. Orders that payers "
        "have open go on. The account can be activated again."
    ),
    submit=_("Deactivate"),
    danger=True,
)
ACTIVATE = ConfirmedAction(
    verb="activate",
    needs_reauthentication=True,
    title=_("Activate merchant"),
    explanation=_("The merchant's keys work again at once."),
    submit=_("Activate"),
)
