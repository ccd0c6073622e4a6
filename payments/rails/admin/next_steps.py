"""What an operator should do about a provider account, and why."""

from datetime import datetime

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext

from payments.console.cells import copyable
from payments.console.detail_page import NextStep
from payments.console.formatting import when
from payments.core import clock
from payments.core.models import Transition
from payments.rails.models import ProviderAccount, Route
from payments.rails.services import checks

Status = ProviderAccount.Status


def of_account(row: ProviderAccount) -> NextStep:
    if row.requested_credentials:
        why = gettext("New credentials wait until a second person approves them.")
        return NextStep(why=why, actions=("approve_credentials", "confirm_credentials"))
    if row.status == Status.REQUESTED:
        why = gettext("The account waits until a second person approves it.")
        return NextStep(why=why, actions=("approve",))
    if row.status == Status.OFF:
        since = _switched_off_at(row)
        return _first_steps(row) if since is None else _of_ended(since)
    if Route.objects.filter(account=row.slug, is_enabled=True).exists():
        return NextStep(why=gettext("It is on, and routes send it payments."))
    why = gettext("It is on, and no route sends it payments yet.")
    label = (gettext("Add a route"), reverse("admin:rails_route_add"))
    return NextStep(why=why, link=label)


def is_new(row: ProviderAccount) -> bool:
    """Whether its page shows the first steps."""
    is_off = row.status == Status.OFF and not row.requested_credentials
    return is_off and _switched_off_at(row) is None


def _switched_off_at(row: ProviderAccount) -> datetime | None:
    """None for an account that was never on."""
    moves = Transition.objects.filter(subject_id=row.pk, from_state=Status.ON, to_state=Status.OFF)
    return moves.order_by("-id").values_list("at", flat=True).first()


def _first_steps(row: ProviderAccount) -> NextStep:
    """A new account: paste the address at the provider, check, switch on."""
    check = gettext("Check that the provider answers.")
    switch_on = NextStep(
        why=gettext("Then switch the account on: until then it takes no new payment."),
        actions=("switch_on",),
    )
    urls = [(copyable(url),) for url in checks.callback_urls(row, clock.now()).values()]
    if not urls:
        return NextStep(why=check, actions=("check_account",), further=(switch_on,))
    paste = format_html(
        "{} {}",
        gettext("Paste this address for callbacks at the provider:"),
        format_html_join(" ", "{}", urls),
    )
    checked = NextStep(why=check, actions=("check_account",))
    return NextStep(why=paste, further=(checked, switch_on))


def _of_ended(since: datetime) -> NextStep:
    why = gettext(
        "It takes no new payments since %(when)s. Those that it has already are finished."
    ) % {"when": when(since)}
    return NextStep(why=why, actions=("switch_on",), is_quiet=True)
