"""Inviting a person in the console, and accepting with a browser."""

import re
from typing import Any

from django.test import Client

from merchants.models import Merchant
from payments.console import roles
from tests.admin.conftest import Console

EMAIL = "lucia@cafeandino.example"
OWN = "Cocuy-Ritacuba-5410"


def invite(browser: Console, merchant: Merchant, *names: str, **changes: Any) -> Any:
    form = {"name": "Lucía Paz", "email": EMAIL, "roles": list(names), **changes}
    return browser.submit("merchants_merchant_invite_person", merchant.pk, **form)


def link_of(answer: Any) -> str:
    """The address that is shown once, without its host."""
    assert answer.status_code == 200, answer.content.decode()
    found = re.search(r"https?://[^/\s<]+(/admin/invitation/[^<\s]+)", answer.content.decode())
    assert found, answer.content.decode()
    return found[1]


def invited(browser: Console, merchant: Merchant, *names: str, **changes: Any) -> str:
    return link_of(invite(browser, merchant, *(names or (roles.MERCHANT_STAFF,)), **changes))


def accept(link: str, password: str = OWN, browser: Client | None = None) -> Any:
    form = {"new_password1": password, "new_password2": password}
    return (browser or Client()).post(link, form)
