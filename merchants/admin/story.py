"""The timeline of an account, and what is missing before it can collect."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.core.console.record import NextStep
from payments.core.console.timeline import Line, add_acts, timeline

add_acts(
    {
        "merchant.created": _("Created the account"),
        "merchant.changed": _("Changed the account"),
        "merchant.activated": _("Activated the account"),
        "merchant.deactivated": _("Deactivated the account"),
        "api_key.issued": _("Issued an API key"),
        "api_key.revoked": _("Revoked an API key"),
        "webhook_secret.regenerated": _("Regenerated the webhook secret"),
    }
)


def lines(merchant: Merchant) -> list[Line]:
    """What people did about the account, its keys included."""
    made = Line(at=merchant.created_at, what=gettext("The account was opened"), who=merchant.name)
    keys = merchant.api_keys.values_list("pk", flat=True)
    return timeline([merchant.pk, *keys], [made])


def of_merchant(merchant: Merchant) -> NextStep:
    """An account collects with a key, and hears of it with a webhook URL."""
    if not merchant.is_active:
        why = gettext("The account is closed to the API: every request gets 401.")
        return NextStep(why=why, acts=("activate",))
    if not merchant.api_keys.filter(revoked_at=None).exists():
        why = gettext("The account has no key, so it cannot call the API yet.")
        return NextStep(why=why, acts=("issue_key",))
    if not merchant.webhook_url:
        why = gettext("The account has a key. Without a webhook URL it is not told of payments.")
        return NextStep(why=why)
    return NextStep(why=gettext("The account has a key and a webhook URL."))
