"""NUL in an address: PostgreSQL has none in its texts, so that nothing has such an id.

Addresses come from the resolver: whatever is added is walked, too.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import get_resolver

from payments.console import roles
from tests.admin.conftest import REASON, Console
from tests.admin.test_tenancy import fill, patterns
from tests.support.factories import MerchantFactory
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of

pytestmark = pytest.mark.django_db
NULS = ("%00", "col_%00")


def operator() -> Console:
    user = User.objects.create_superuser("ana", "ana@pasarela.example", "Volcán-Galeras-4276")
    browser = Console(raise_request_exception=False)
    browser.force_login(user)
    return browser


def merchant_staff() -> Console:
    browser = browser_of(person_of(MerchantFactory(), "lucia", roles.MERCHANT_ADMINISTRATOR))
    browser.raise_request_exception = False
    return browser


@pytest.mark.slow
@pytest.mark.parametrize("who", [operator, merchant_staff])
def test_no_address_of_the_console_takes_a_nul(who: Callable[[], Console]) -> None:
    browser, walked = who(), 0
    for name, route, parameters in patterns():
        if not parameters or route.startswith("(?P<url>"):
            continue
        for nul, method in ((nul, method) for nul in NULS for method in ("get", "post")):
            answer = getattr(browser, method)(
                fill(route, "_").replace("_5F", nul), {"reason": REASON}
            )
            assert answer.status_code == 404, (name, method, nul)
            walked += 1
    assert walked > 250
    assert browser.get("/admin/").status_code == 200


@pytest.mark.parametrize("name", ["merchant__id__exact", "status__exact", "q", "to", "p"])
def test_no_filter_of_a_list_takes_a_nul(name: str) -> None:
    browser = operator()
    for path in ("collect/order", "payout/payout", "webhooks/delivery", "merchants/apikey"):
        for nul in ("%00", "%%0000", "%0%000"):
            answer = browser.get(f"/admin/{path}/?{name}=mer_{nul}")
            assert answer.status_code in (200, 302), (path, name, nul)


def test_no_page_for_payers_takes_a_nul() -> None:
    browser = Client(raise_request_exception=False)
    for path in (
        *("/pay/%00", "/pay/%00/pse", "/pay/%00/paid", "/pay/%00/status", "/verify/%00"),
        *("/docs%00", "/docs/%00", "/static/%00", "/static/pay/%00.css", "/brand/%00/logo"),
        *("/simulator/%00", "/language%00", "/%00", "/admin/%00", "/admin/login/%00"),
    ):
        for method in ("get", "post"):
            answer = getattr(browser, method)(path)
            assert answer.status_code in (404, 405), (path, method, answer.status_code)


def test_no_other_route_takes_a_nul(api: ApiClient) -> None:
    api.raise_request_exception = False
    walked = 0
    for route in routes():
        if "<" not in route or route.startswith("admin/"):
            continue
        path = "/" + route.replace("<", "\0<").split("\0")[0] + "%00"
        rest = route.split(">", 1)[1]
        for method in ("GET", "POST"):
            answer = api.generic(
                method, path + rest, b"{}", "application/json", headers=api.headers
            )
            assert answer.status_code in (400, 404, 405), (method, path + rest, answer.content)
            walked += 1
    assert walked > 40


def routes(found: Any = None, prefix: str = "") -> Iterator[str]:
    for each in get_resolver().url_patterns if found is None else found:
        route = prefix + str(each.pattern)
        if hasattr(each, "url_patterns"):
            yield from routes(each.url_patterns, route)
        else:
            yield route
