"""What an operator should do about a provider account, and why."""

from django.urls import reverse
from django.utils.translation import gettext

from payments.console.detail_page import NextStep
from payments.rails.models import ProviderAccount, Route

Status = ProviderAccount.Status


def of_account(row: ProviderAccount) -> NextStep:
    if row.requested_credentials:
        why = gettext("New credentials wait until a second person approves them.")
        return NextStep(why=why, actions=("approve_credentials", "confirm_credentials"))
    if row.status == Status.REQUESTED:
        why = gettext("The account waits until a second person approves it.")
        return NextStep(why=why, actions=("approve",))
    if row.status == Status.OFF:
        why = gettext(
            "Check that the provider answers. Then switch the account on: until then it takes "
            "no new payment."
        )
        return NextStep(why=why, actions=("check_account", "switch_on"))
    if Route.objects.filter(account=row.slug, is_enabled=True).exists():
        return NextStep(why=gettext("It is on, and routes send it payments."))
    why = gettext("It is on, and no route sends it payments yet.")
    label = (gettext("Add a route"), reverse("admin:rails_route_add"))
    return NextStep(why=why, link=label)
