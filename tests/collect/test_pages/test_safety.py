"""Strangers, bad input, and what the answers forbid."""

import re
from collections.abc import Callable

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from merchants.models import Merchant
from payments.collect.models import Order
from payments.providers import ports
from payments.simulator import control
from tests.collect.test_pages.conftest import (
    PERSON,
    Payer,
    charge_of,
)

pytestmark = pytest.mark.django_db
PAID = ports.ChargeStatus.SUCCEEDED


@pytest.mark.parametrize(
    "token",
    [
        "x",
        "A" * 22,
        "A" * 10_000,
        "%00" * 22,
        "..%2F..%2Fadmin",
        "col_06d3w9k1m8v7e2t5r4q0n9p8x6",
        "ñ" * 22,
        "%ff%fe",
        "a/b/c",
        "",
    ],
)
@pytest.mark.parametrize("path", ["", "/pse", "/go", "/return", "/methods", "/nothing"])
def test_an_unknown_link_is_a_kind_404(token: str, path: str, merchant: Merchant) -> None:
    response = Client().get(f"/pay/{token}{path}")
    assert response.status_code == 404
    assert "No encontramos este pago" in response.content.decode()
    assert response.headers["Cache-Control"] == "no-store"


def test_the_state_of_an_unknown_link_is_404(merchant: Merchant) -> None:
    response = Client().get(f"/pay/{'A' * 22}/state")
    assert (response.status_code, response.json()["status"]) == (404, "NOT_FOUND")


def test_the_orders_id_is_no_token(order: Order) -> None:
    assert Client().get(f"/pay/{order.pk}").status_code == 404


def test_the_token_of_another_order_shows_only_that_order(
    order: Order, create: Callable[..., Order]
) -> None:
    other = create(description="Otra cosa", amount=99000)
    page = Payer(other).see()
    assert "Otra cosa" in page
    assert order.reference not in page
    Payer(other).choose("/transfer")
    assert not order.charges.exists()


@pytest.mark.parametrize("path", ["/pse", "/transfer", "/crypto"])
def test_a_form_without_its_csrf_token_does_nothing(path: str, order: Order, payer: Payer) -> None:
    response = payer.post(payer.url + path, {**PERSON, "coin": "BTC"})
    assert response.status_code == 403
    assert "<h1>" in response.content.decode()
    assert not order.charges.exists()


@pytest.mark.parametrize("method", ["put", "delete", "patch", "trace"])
def test_other_http_methods_are_refused(method: str, order: Order) -> None:
    assert getattr(Client(), method)(f"/pay/{order.token}").status_code == 405


def test_names_are_escaped_and_cannot_turn_the_page_around(
    create: Callable[..., Order], merchant: Merchant
) -> None:
    merchant.name = "<script>alert(1)</script>\"'>"
    merchant.save()
    order = create(
        description="\u202eTXEN <img src=x onerror=alert(1)> {{7*7}} %s",
        reference="<b>=cmd|x",
        customerName='"><script>x</script>',
    )
    payer = Payer(order)
    payer.choose("/transfer")
    pages = [payer.see(), payer.see("/methods"), payer.see("/pse"), payer.see("/crypto")]
    control.resolve(charge_of(order).pk, PAID)
    for page in [*pages, payer.see()]:
        assert "<script>alert" not in page
        assert "<script>x" not in page
        assert "<img src=x" not in page
        assert "<b>=cmd" not in page
        assert "<bdi>\u202eTXEN &lt;img src=x onerror=alert(1)&gt; {{7*7}} %s</bdi>" in page
        assert "\u202e" not in page.replace("<bdi>\u202e", "")


def test_the_answer_is_private_and_locked_down(payer: Payer) -> None:
    headers = payer.get(payer.url).headers
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Robots-Tag"] == "noindex, nofollow"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    policy = headers["Content-Security-Policy"]
    for directive in (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ):
        assert directive in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("path", ["", "/pse", "/crypto", "/methods"])
def test_nothing_is_inline_and_nothing_comes_from_elsewhere(path: str, payer: Payer) -> None:
    page = payer.see(path)
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
    scripts = re.findall(r"<script[^>]*>", page)
    assert scripts[0] == '<script src="/static/pay/pay.js" defer>'
    others = ("search", "hints") if path == "/pse" else ()
    assert scripts[1:] == [f'<script src="/static/pay/{name}.js" defer>' for name in others]
    assert all(
        url.startswith(("/", "?", "#")) for url in re.findall(r'(?:href|src)="([^"]*)"', page)
    )


def test_without_a_database_the_payer_is_told_that_nothing_is_lost(
    payer: Payer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(**_: str) -> Order:
        raise OperationalError("the connection is closed")

    payer.raise_request_exception = False
    monkeypatch.setattr("payments.collect.services.orders.lookup.find_by_token", away)
    response = payer.get(payer.url)
    assert response.status_code == 503
    assert "Algo falló de nuestro lado" in response.content.decode()
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("accepted", "text"),
    [("en-US,en;q=0.9", "Did you pay already? Your money is safe."), ("", "Tu dinero está seguro")],
)
def test_payer_of_a_page_that_failed_reads_that_the_money_is_safe(
    accepted: str, text: str, payer: Payer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: str) -> Order:
        raise ZeroDivisionError

    payer.raise_request_exception = False
    monkeypatch.setattr("payments.collect.services.orders.lookup.find_by_token", fail)
    with CaptureQueriesContext(connection) as queries:
        response = payer.get(payer.url, headers={"Accept-Language": accepted})
    assert response.status_code == 500
    page = response.content.decode()
    assert text in page
    assert response.headers["X-Request-Id"] in page
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
    assert len(queries) == 0
