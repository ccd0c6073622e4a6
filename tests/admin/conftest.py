"""The operator Ana, a clerk with fewer rights, and what they look at."""

import itertools
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib import admin
from django.contrib.admin.utils import quote
from django.contrib.auth.models import Group, Permission, User
from django.core.cache import cache
from django.test import Client
from django.urls import clear_url_caches, path, reverse
from django.utils import translation

from config import urls, urls_merchants
from merchants.models import Merchant
from payments.collect.models import Order
from payments.console.timeline import state_name
from payments.core import clock
from payments.ledger.models import Posting
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from tests.support.factories import order_body, payout_body
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.refunds import paid

REASON = "Asked for by phone, ticket 81"
PROOF = "Extracto del 3 de marzo, folio 18"
# What every page of the console asks before its own: whose merchants (two), which device, and
# whether another person gave the password.
ACCESS_QUERIES = 4
Build = Callable[[], None]
_keys = itertools.count(1)


def url(name: str, *args: Any) -> str:
    """The address of a console page, as the console itself writes it."""
    return reverse(f"admin:{name}", args=[quote(arg) for arg in args])


class Console(Client):
    """An operator's browser."""

    def page(self, name: str, /, *args: Any, **query: Any) -> Any:
        """GET of a console page by its name."""
        return self.get(url(name, *args), query)

    def submit(self, name: str, /, *args: Any, **form: Any) -> Any:
        """POST of an act's form; each showing of a form has a token of its own."""
        shown = self.page(name, *args)
        token = (shown.context or {}).get("form_token", "")
        return self.post(url(name, *args), {"form_token": token, "reason": REASON, **form})


@pytest.fixture
def without_mail(settings: Any) -> None:
    """So that the console shows the links of invitations."""
    settings.EMAIL_BACKEND = ""
    cache.clear()


@pytest.fixture
def build_merchant_site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Build]:
    """Makes the site of users of merchants from what the pages declare at that moment."""

    def build() -> None:
        made = type(admin.site.of_merchants)()
        for model, page in admin.site._registry.items():
            made.register(model, type(page))
        monkeypatch.setattr(admin.site._wrapped, "of_merchants", made)
        served = [path("admin/", made.urls), *urls.beside_console]
        monkeypatch.setattr(urls_merchants, "urlpatterns", served)
        clear_url_caches()

    yield build
    monkeypatch.undo()
    clear_url_caches()


@pytest.fixture
def ana(db: None) -> User:
    """An operator with every right."""
    return User.objects.create_superuser("ana", "ana@pasarela.example", "Volcán-Galeras-4276")


@pytest.fixture
def console(ana: User) -> Console:
    """Ana's browser, logged in."""
    browser = Console()
    browser.force_login(ana)
    return browser


@pytest.fixture
def beto(db: None) -> Console:
    """A second operator."""
    browser = Console()
    browser.force_login(User.objects.create_superuser("beto", "b@pasarela.example", "Purace-11"))
    return browser


def person(name: str, *roles: str, password: str = "Páramo-de-Chingaza-7") -> Console:
    """The browser of a person with these roles, logged in."""
    user = User.objects.create_user(name, password=password, is_staff=True)
    user.groups.set(Group.objects.filter(name__in=roles))
    browser = Console()
    browser.force_login(user)
    return browser


@pytest.fixture
def clerk(db: None) -> Console:
    """A person of the staff who may look at everything and change nothing."""
    user = User.objects.create_user("beto", password="Nevado-del-Ruiz-5321", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    browser = Console()
    browser.force_login(user)
    return browser


@pytest.fixture
def visitor(db: None) -> Console:
    """A person who has an account but is not of the staff."""
    browser = Console()
    browser.force_login(User.objects.create_user("carla", password="Cabo-de-la-Vela-11"))
    return browser


@pytest.fixture
def order(api: ApiClient) -> Order:
    """An order as a merchant made it, unpaid."""
    answer = api.post("/collect", order_body(reference="MESA-7"))
    assert answer.status_code == 201, answer.content
    return Order.objects.get(pk=answer.body["data"]["id"])


@pytest.fixture
def bought(api: ApiClient) -> Order:
    """Paid, with play money beside it."""
    api.post("/sandbox/balance", {"currency": "COPM", "amount": 100_000})
    return paid(api)


@pytest.fixture
def other_merchant(stranger: Merchant) -> Merchant:
    """Otra Tienda, whose rows must be told apart."""
    return stranger


# Payouts, and the money that they need.


def credit(merchant: Merchant) -> None:
    """Ten million pesos to spend."""
    fund(merchant, 10_000_000)


def new_key() -> str:
    """A key that no request had yet."""
    return f"console-{next(_keys)}"


def send(api: ApiClient, body: Any = None, key: str = "") -> Payout:
    """A payout as a merchant asks for it."""
    headers = {"Idempotency-Key": key or new_key()}
    answer = api.post("/payout", body or payout_body(), headers=headers)
    assert answer.status_code == 201, answer.content
    return Payout.objects.get(pk=answer.body["data"]["payoutId"])


def move_shown(subject_type: str, before: str, after: str) -> str:
    """`Pendiente → En proceso`, as the Spanish timeline has it."""
    with translation.override("es"):
        return " → ".join(state_name(subject_type, state) for state in (before, after))


def assert_postings_shown(payment: Any, page: str) -> None:
    """Each by what its account is for."""
    for posting in Posting.objects.filter(entry__subject_id=payment.pk):
        kind, rail, *_ = posting.account.code.split(":")
        name = posting.account.get_kind_display()
        rail = "el simulador" if rail == "simulator" else rail
        assert (f"compensación con {rail}" if kind == "clearing" else str(name)) in page


@pytest.fixture
def operators(catalogues: None) -> None:
    """Mobile operators and the terms of top-ups: they come with the other catalogues."""


@pytest.fixture
def funds(merchant: Merchant) -> None:
    """Café Andino can pay."""
    credit(merchant)


@pytest.fixture
def pending(api: ApiClient, funds: None) -> Payout:
    """Not handed to the rail yet."""
    return send(api)


@pytest.fixture
def waiting(api: ApiClient, merchant: Merchant, funds: None) -> Payout:
    """Above the threshold that beto set."""
    Merchant.objects.filter(pk=merchant.pk).update(
        payout_approval_above=50_000, payout_approval_set_by="beto"
    )
    return send(api)


@pytest.fixture
def doubtful(api: ApiClient, funds: None) -> Payout:
    """At the rail since yesterday; its result is unknown."""
    with time_machine.travel(clock.now() - timedelta(days=1)):
        payout = send(api)
        engine.process_due(now=clock.now())
    Payout.objects.filter(pk=payout.pk).update(needs_operator=True)
    payout.refresh_from_db()
    assert payout.status == "PROCESSING"
    return payout


@pytest.fixture
def completed(api: ApiClient, funds: None) -> Payout:
    """The beneficiary has the money."""
    payout = send(api)
    assert api.post(f"/sandbox/payout/{payout.pk}", {"status": "COMPLETED"}).status_code == 200
    payout.refresh_from_db()
    return payout
