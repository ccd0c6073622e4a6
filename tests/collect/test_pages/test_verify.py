"""Anybody checks a receipt by its code: true or false, and what became of the money since."""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from payments.collect.models import Dispute, Order, Receipt
from payments.collect.services.orders import receipts
from payments.core import clock, receipt_codes
from payments.providers import ports, registry
from payments.simulator import control
from tests.collect.test_pages.conftest import Payer, charge_of

pytestmark = pytest.mark.django_db
PAID = ports.ChargeStatus.SUCCEEDED


@pytest.fixture(autouse=True)
def of_real_money(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Headings of play money are tested with the sandbox."""
    settings.SANDBOX = False
    monkeypatch.setattr(registry, "is_simulated", lambda _code: False)


def pay(order: Order) -> str:
    """Pays the order; the code stands on the receipt."""
    payer = Payer(order)
    payer.choose("/transfer")
    control.resolve(charge_of(order).pk, PAID)
    (code,) = set(re.findall(r'href="/verify/([0-9A-Z-]{14})"', payer.see()))
    return str(code)


def check(code: str, status: int = 200) -> str:
    response = Client().get(f"/verify/{code}?lang=en")
    assert response.status_code == status
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Robots-Tag"] == "noindex, nofollow"
    return response.content.decode()


def dispute(order: Order, amount: int, status: str = "OPEN") -> None:
    Dispute.objects.create(
        order=order,
        kind="CHARGEBACK",
        status=status,
        closed_at=clock.now() if status != "OPEN" else None,
        currency="COPM",
        claimed=amount,
        amount=amount,
        reason="unknown to the payer",
        opened_by="simulator",
        opened_at=clock.now(),
    )


def test_code_of_a_receipt_shows_what_was_paid_with_masked_names(order: Order) -> None:
    page = check(pay(order))
    assert "Authentic receipt: the payment was received" in page
    for shown in ("$ 50,025 COP", "Café Andino", "M*** F*** Ñ***"):
        assert shown in page
    assert f"***{order.reference.rpartition('-')[2]}" in page
    for hidden in ("María", "maria@example.com", "1.020.304.050", "1020304050", order.pk):
        assert hidden not in page
    assert order.token not in page
    assert order.reference not in page


def test_the_code_stays_the_same_and_can_be_typed_in_any_way(order: Order) -> None:
    code = pay(order)
    assert code in Payer(order).see()
    assert Receipt.objects.count() == 1
    for typed in (code.lower(), code.replace("-", ""), f" {code.replace('-', ' ')} "):
        form = Client().get("/verify/", {"code": typed})
        assert (form.status_code, form.headers["Location"]) == (303, f"/verify/{code}")
        assert "Authentic receipt" in check(typed)


def test_a_receipt_has_the_address_of_its_proof_as_a_picture(order: Order) -> None:
    code = pay(order)
    page = Payer(order).see()
    assert f"http://testserver/verify/{code}" in page
    assert page.count('src="data:image/svg+xml') == 1


@pytest.mark.parametrize("refunded", [50_025, 20_000])
def test_receipt_check_shows_refunded_money(refunded: int, order: Order) -> None:
    code = pay(order)
    Order.objects.filter(pk=order.pk).update(refunded_amount=refunded)
    page = check(code)
    whole = refunded == 50_025
    assert ("Not any more: the money was returned" in page) == whole
    assert ("Paid, and returned in part" in page) == (not whole)
    assert f"$ {refunded:,} COP" in page
    assert ("Still paid for this order" in page) == (not whole)
    assert (f"$ {50_025 - refunded:,} COP" in page) == (not whole)
    assert "Authentic receipt: the payment was received" not in page
    assert "Returned to you" in Payer(order).see("?lang=en")


@pytest.mark.parametrize(
    ("status", "amount", "said"),
    [
        ("OPEN", 50_025, "Paid, but contested"),
        ("OPEN", 10_000, "Paid, but contested"),
        ("WON", 50_025, "Authentic receipt: the payment was received"),
        ("LOST", 50_025, "Not any more: the money was returned"),
        ("LOST", 10_000, "Paid, and returned in part"),
    ],
)
def test_receipt_check_shows_an_open_dispute(
    status: str, amount: int, said: str, order: Order
) -> None:
    code = pay(order)
    dispute(order, amount, status)
    assert said in check(code)


def test_refunds_and_claims_are_one_sum(order: Order) -> None:
    code = pay(order)
    Order.objects.filter(pk=order.pk).update(refunded_amount=40_025)
    dispute(order, 10_000, "LOST")
    assert "Not any more" in check(code)


def test_receipt_check_names_the_surplus_and_the_day_of_the_return(order: Order) -> None:
    payer = Payer(order)
    payer.choose("/transfer")
    control.deposit(charge_of(order).pk, Decimal(60_000))
    code = receipt_codes.written(receipts.get_code(order=charge_of(order).order) or "")
    page = check(code)
    for shown in ("Order total", "$ 50,025 COP", "Surplus", "$ 9,975 COP", "$ 60,000 COP"):
        assert shown in page
    assert "Returned on" not in page
    dispute(order, 10_000, "LOST")
    assert "Returned on" in check(code)


def test_an_unknown_code_is_false_and_a_mistyped_one_is_not_found(
    order: Order, create: Callable[..., Order]
) -> None:
    code = pay(order)
    unknown = receipt_codes.written(receipt_codes.new_code())
    page = check(unknown, 404)
    assert "There is no such receipt" in page
    assert "Nothing was paid under this code." in page
    last = "2" if code[-1] != "2" else "3"
    wrong = [code[:-1] + last, code[:-2], code + "0", "x", "ñ" * 12, "%00", order.pk, order.token]
    for mistyped in wrong:
        page = check(mistyped, 404)
        assert "The code " in page
        assert "False" not in page
        assert 'id="code-error"' in page
    assert "No receipt has this code." in check(unknown, 404)
    assert "The code lacks 2 characters" in check(code[:-2], 404)
    assert "The code has 1 character too many" in check(code + "0", 404)
    assert "At least one character is wrong." in check(code[:-1] + last, 404)
    assert Client().get("/verify/", {"code": "x"}).status_code == 404
    assert Client().get(f"/verify/{code}/more").status_code == 404


def test_an_order_that_is_not_paid_has_no_code(order: Order) -> None:
    assert receipts.get_code(order=order) is None
    assert not Receipt.objects.exists()


def test_what_was_typed_is_text_not_markup() -> None:
    page = check("%3Cscript%3Ealert(1)%3C%2Fscript%3E".replace("%2F", ""), 404)
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_codes_cannot_be_guessed(order: Order, settings: object) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "verify": "3/m"}  # type: ignore[attr-defined]
    for _ in range(3):
        check("0000-0000-0000", 404)
    slow = Client().get("/verify/0000-0000-0000")
    assert slow.status_code == 429
    assert int(slow.headers["Retry-After"]) > 0
    assert Client().get("/verify/", REMOTE_ADDR="10.9.8.7").status_code == 200
    other = Client().get("/verify/0000-0000-0000", REMOTE_ADDR="10.9.8.7")
    assert other.status_code == 404


def test_network_of_ipv6_counts_as_one_visitor(settings: object) -> None:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "verify": "3/m"}  # type: ignore[attr-defined]
    answers = [
        Client().get("/verify/0000-0000-0000", REMOTE_ADDR=f"2800:e2:1:1::{host:x}").status_code
        for host in range(1, 5)
    ]
    assert answers == [404, 404, 404, 429]
    other = Client().get("/verify/0000-0000-0000", REMOTE_ADDR="2800:e2:1:2::1")
    assert other.status_code == 404


def test_the_form_is_one_field_and_asks_no_cookie() -> None:
    for path in ("/verify", "/verify/"):
        response = Client().get(path)
        assert response.status_code == 200
        assert "Set-Cookie" not in response.headers
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert Client().post("/verify/").status_code == 405


def test_a_mistyped_code_costs_no_query_and_a_true_one_three(
    order: Order, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    code = pay(order)
    with django_assert_num_queries(0):
        check("0000-0000-0001", 404)
    with django_assert_num_queries(3):
        check(code)
