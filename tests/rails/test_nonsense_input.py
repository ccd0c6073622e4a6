"""No input makes a page of rails fail: huge, empty, NUL, other types, unknown names."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from payments.core import clock
from payments.rails.models import ProviderAccount, Route, RouteChange
from payments.rails.services import accounts, route_changes
from tests.admin.conftest import Console, ana  # noqa: F401
from tests.admin.test_tenancy import fill, patterns
from tests.rails.accounts import WOMPI_CREDENTIALS

pytestmark = pytest.mark.django_db
# Nothing listens there.
NOWHERE = "http://127.0.0.1:9/v1"
NONSENSE = [
    *("", " ", "\0", "a\0b", "x" * 20_000, "9" * 400, "-1", "1e999", "NaN", "Infinity", "0.1e-999"),
    *("null", "[]", '{"a": 1}', "\ud7ff\uffff", "\u202e\u0000é", "../../x", "http://[::1", "on"),
    *(
        "99999999999999999999",
        "mer_00000000000000000000000000",
        "no-such-name",
        "wompi",
        "payin",
        "²",
    ),
]
VALID = {
    "reason": "contract 12",
    "product": "payin",
    "account": "main",
    "priority": "7",
    "slug": "other",
    "mode": "SANDBOX",
    **{f"credential_{name}": value for name, value in WOMPI_CREDENTIALS.items()},
}
ROUNDS = 2
# Without a form.
UNSENT = ("delete", "history", "check", "health", "autocomplete")
PAGES = ("provideraccount", "route", "routechange")


@pytest.fixture
def browser(ana, settings):  # noqa: F811
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    browser = Console(raise_request_exception=False)
    browser.force_login(ana)
    return browser


@pytest.fixture
def rows():
    """An account with credentials that wait, a route, and a change of it."""
    new = accounts.NewAccount(
        slug="main",
        provider="wompi",
        label="L",
        mode="SANDBOX",
        base_url=NOWHERE,
        credentials=WOMPI_CREDENTIALS,
    )
    accounts.create_account(new=new, actor="olga", reason="test", now=clock.now())
    waiting = ProviderAccount.objects.get().credentials
    ProviderAccount.objects.update(requested_credentials=waiting, credentials_by="olga")
    route = Route.objects.create(product="payin", account="main")
    change = RouteChange.objects.create(
        route=route,
        values={**route_changes.values_of(route), "declared_as": "", "declared_digest": ""},
        reason="test",
        requested_by="olga",
        requested_at=clock.now(),
    )
    return {"provideraccount": "main", "route": route.pk, "routechange": change.pk}


def addresses(rows: dict[str, Any]) -> Iterator[str]:
    for _name, route, _parameters in patterns():
        if not route.startswith("rails/") or route.startswith("(?P<url>"):
            continue
        model = route.split("/")[1]
        if model not in PAGES or any(word in route for word in UNSENT):
            continue
        address = fill(route, "PK").replace("PK", str(rows[model]))
        yield address
        if route == "rails/provideraccount/add/":
            yield from (f"{address}?provider=wompi", f"{address}?provider=wompi-payouts")


def fields_of(page: Any) -> list[str]:
    context = getattr(page, "context", None) or {}
    shown = [context.get(name) for name in ("form", "adminform")]
    found = [getattr(one, "form", one) for one in shown]
    return [name for form in found for name in getattr(form, "fields", ())]


def forms(random_: random.Random, fields: list[str], valid: dict[str, str]) -> dict[str, str]:
    """Most fields have nonsense, and some forms have it in one field only."""
    one = random_.choice(fields)
    alone = random_.random() < 0.5
    return {
        name: random_.choice(NONSENSE) if name == one or not alone else valid.get(name, "x")
        for name in fields
    }


@pytest.mark.slow
def test_nonsense_never_breaks_a_page_of_rails(browser, rows):
    chance = random.Random(8)
    sent = 0
    for address in [*addresses(rows)]:
        shown = browser.get(address)
        assert shown.status_code < 500, address
        fields = [*fields_of(shown), "form_token", "action", "ids", "_selected_action"]
        send = browser.get if "try" in address else browser.post
        for _time in range(ROUNDS):
            sent += 1
            form = forms(chance, fields, {**VALID, "form_token": f"token-{sent}"})
            assert send(address, form).status_code < 500, (address, form)
    assert sent > 40
