"""A payer: a browser without JavaScript, in front of the orders of Café Andino."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from payments.collect.models import Charge, Order
from payments.core import clock
from payments.simulator import magic
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient

PERSON = {
    "bank": "1007",
    "person_type": "NATURAL",
    "document_type": "CC",
    "document_number": "1.020.304.050",
    "name": "María Fernanda Ñáñez",
    "email": "maria@example.com",
    "phone": "+57 310 555 1234",
    "consent": "on",
}


class Payer(Client):
    """A browser with cookies and CSRF checks on, pointed at one order."""

    def __init__(self, order: Order) -> None:
        super().__init__(enforce_csrf_checks=True)
        self.url = f"/pay/{order.token}"

    def see(self, path: str = "", status: int = 200, **options: Any) -> str:
        """The text of a page."""
        response = self.get(self.url + path, **options)
        assert response.status_code == status, (response.status_code, response.headers)
        return response.content.decode()

    def send(self, path: str, fields: dict[str, str] | None = None) -> HttpResponse:
        """Fills in and submits the form of that page, with its CSRF token."""
        if "csrftoken" not in self.cookies:
            self.see("/methods")
        token = self.cookies["csrftoken"].value
        return self.post(self.url + path, {"csrfmiddlewaretoken": token, **(fields or {})})

    def choose(self, path: str, fields: dict[str, str] | None = None) -> str:
        """Submits and follows the redirect; the answer is the page where the payer ends up."""
        response = self.send(path, fields)
        assert response.status_code == 303, response.content.decode()
        return self.get(response.headers["Location"]).content.decode()


@pytest.fixture
def create(api: ApiClient) -> Callable[..., Order]:
    def create(**changes: Any) -> Order:
        answer = api.post("/collect", order_body(**changes)).body
        return Order.objects.get(pk=answer["data"]["id"])

    return create


@pytest.fixture
def order(create: Callable[..., Order]) -> Order:
    return create(callbackUrl="https://cafeandino.example/gracias?pedido=7&x=%C3%B1#abajo")


@pytest.fixture
def payer(order: Order) -> Payer:
    return Payer(order)


def charge_of(order: Order) -> Charge:
    order.refresh_from_db()
    return order.charges.latest("created_at")


def magic_document(name: str) -> dict[str, str]:
    number = magic.FIRST_DOCUMENT + [row.name for row in magic.CHARGES].index(name)
    return {**PERSON, "document_number": str(number)}


def pass_deadline(order: Order) -> None:
    Order.objects.filter(pk=order.pk).update(expires_at=clock.now() - timedelta(seconds=1))
