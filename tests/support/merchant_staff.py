"""People of merchants, given by the service as an operator gives them."""

from django.contrib.auth.models import Group, User
from django.utils.html import escape
from django.utils.translation import gettext, override

from merchants import members
from merchants.models import Merchant
from payments.console import first_password, roles
from tests.admin.conftest import Console

PASSWORD = "Sierra-Nevada-5775"


def person_of(
    merchant: Merchant,
    name: str,
    role: str = roles.MERCHANT_STAFF,
    actor: str = "ana",
    also: tuple[str, ...] = (),
) -> User:
    """A person who works for the merchant and has changed the first password.

    also: more roles.
    """
    made, _first = members.create_member(
        merchant=merchant,
        member=members.NewMember(username=name, email=f"{name}@comercio.example", role=role),
        actor=actor,
        reason="New colleague",
    )
    made.user.groups.add(*Group.objects.filter(name__in=also))
    return first_password.choose(user=made.user, password=PASSWORD, address="127.0.0.1")


def browser_of(user: User) -> Console:
    """The person's browser, logged in."""
    browser = Console()
    browser.force_login(user)
    return browser


def said(text: str) -> str:
    """A text of the code as a page shows it, in the console's Spanish."""
    with override("es"):
        return escape(gettext(text))
