"""The operator Ana, a clerk with fewer rights, and what they look at."""

from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from merchants.models import Merchant
from payments.collect.models import Order
from tests.factories import order_body
from tests.fixtures import ApiClient

REASON = "Asked for by phone, ticket 81"


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
def clerk(db: None) -> Console:
    """Somebody of the staff who may look at everything and change nothing."""
    from django.contrib.auth.models import Permission

    user = User.objects.create_user("beto", password="Nevado-del-Ruiz-5321", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    browser = Console()
    browser.force_login(user)
    return browser


@pytest.fixture
def visitor(db: None) -> Console:
    """Somebody who has an account but is not of the staff."""
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
def other_merchant(stranger: Merchant) -> Merchant:
    """Otra Tienda, whose rows must be told apart."""
    return stranger
