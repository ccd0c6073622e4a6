"""The hosted payment page, as a browser without JavaScript sees it."""

import re
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from merchants.models import Merchant
from payments.collect.models import Charge, Order
from payments.collect.services import expiry
from payments.core import clock
from payments.providers import ports, registry
from payments.providers.simulator import control, magic
from payments.rates.models import ExchangeRate
from tests.factories import order_body
from tests.fixtures import ApiClient

pytestmark = pytest.mark.django_db
PAID = ports.ChargeStatus.SUCCEEDED
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
MagicDocument = Callable[[str], dict[str, str]]


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
    number = magic.FIRST_DOCUMENT + [row.name for row in magic.TABLE].index(name)
    return {**PERSON, "document_number": str(number)}


def pass_deadline(order: Order) -> None:
    Order.objects.filter(pk=order.pk).update(expires_at=clock.now() - timedelta(seconds=1))


# --- The whole way, by each method -----------------------------------------------------------


def test_it_works(order: Order, payer: Payer) -> None:
    page = payer.see()
    for shown in ("Café Andino", "Café de Nariño, 2 libras", "$ 50.000 COP", "$ 25 COP"):
        assert shown in page
    assert "$ 50.025 COP" in page
    assert "¿Cómo quieres pagar?" in page

    going = payer.choose("/pse", PERSON)

    charge = charge_of(order)
    assert f'content="0;url={charge.redirect_url}"' in going
    assert f'href="{charge.redirect_url}"' in going
    assert charge.fields == {"bankCode": "1007", "personType": "NATURAL"}
    assert charge.payer["document_number"] == "1020304050"
    assert charge.payer["phone"] == "3105551234"
    assert "Tu pago está en el banco" in payer.see()

    control.press(charge.pk, PAID)

    receipt = payer.see()
    trace_code = charge_of(order).trace_code
    for shown in ("Recibimos tu pago", "PSE", "CUS", trace_code, order.reference, "$ 50.025 COP"):
        assert shown in receipt


def test_a_transfer_shows_the_account_and_then_what_is_missing(
    order: Order, payer: Payer
) -> None:
    page = payer.choose("/transfer")
    charge = charge_of(order)
    way = charge.instructions
    shown = [way["bank"], way["accountNumber"], way["holder"], way["document"], way["reference"]]
    for text in [*shown, "Ahorros", "$ 50.025 COP", 'data-copy="50025"']:
        assert text in page

    control.deposit(charge.pk, Decimal(20000))

    page = payer.see()
    assert "$ 20.000 COP" in page
    assert 'data-copy="30025"' in page

    control.deposit(charge.pk, Decimal(30025))
    assert "Recibimos tu pago" in payer.see()


@pytest.mark.parametrize("coin", ["BTC", "ETH", "USDT", "USDC"])
def test_a_coin_shows_network_address_amount_and_qr(
    coin: str, order: Order, payer: Payer
) -> None:
    page = payer.choose("/crypto", {"coin": coin})
    charge = charge_of(order)
    assert charge.currency == coin
    assert charge.instructions["address"] in page
    assert f"red <strong>{charge.instructions['network']}</strong>" in page
    assert 'src="data:image/svg+xml' in page
    assert re.search(r'data-left="8\d\d"|data-left="900"', page)

    control.resolve(charge.pk, PAID)

    receipt = payer.see()
    assert f"{coin}</dd>" in receipt
    assert charge_of(order).trace_code in receipt


def test_a_coin_on_its_way_is_seen(order: Order, payer: Payer) -> None:
    payer.choose("/crypto", {"coin": "BTC"})
    charge = charge_of(order)
    control.deposit(charge.pk, charge.amount, confirmed=False)
    assert "Ya vimos tu pago" in payer.see()

    control.confirm(charge.pk)
    assert "Recibimos tu pago" in payer.see()


def test_an_expired_quote_offers_a_new_one(order: Order, payer: Payer) -> None:
    payer.choose("/crypto", {"coin": "USDT"})
    first = charge_of(order)
    Charge.objects.filter(pk=first.pk).update(quote_expires_at=clock.now())
    page = payer.see()
    assert "El precio venció" in page
    assert first.instructions["address"] not in page

    page = payer.choose("/crypto", {"coin": "USDT"})
    assert charge_of(order).pk != first.pk
    assert charge_of(order).instructions["address"] in page


def test_an_order_in_a_coin_is_paid_in_that_coin_only(create: Callable[..., Order]) -> None:
    order = create(currency="USDT", amount=1250.5)
    payer = Payer(order)
    page = payer.see(follow=True)
    assert "1.251,12525 USDT" in page
    assert 'value="USDT"' in page
    assert "BTC" not in page
    assert "PSE" not in page
    assert payer.send("/crypto", {"coin": "BTC"}).status_code == 200
    assert payer.send("/pse", PERSON).status_code == 200
    assert payer.send("/transfer").status_code == 200
    assert not order.charges.exists()

    page = payer.choose("/crypto", {"coin": "USDT"})
    assert 'data-copy="1251.12525"' in page


# --- What the order looks like ----------------------------------------------------------------


def test_cents_are_shown_only_where_there_are_some(create: Callable[..., Order]) -> None:
    assert "$ 1.500,50 COP" in Payer(create(amount=1500.5)).see()
    assert "$ 1.500 COP" in Payer(create(amount=1500)).see()


def test_a_legacy_order_has_a_total_and_no_parts(order: Order, payer: Payer) -> None:
    Order.objects.filter(pk=order.pk).update(base_amount=None, fee_amount=None)
    page = payer.see()
    assert "$ 50.025 COP" in page
    assert "None" not in page
    assert "Tarifa" not in page


def test_the_deadline_is_in_the_time_of_bogota(order: Order, payer: Payer) -> None:
    deadline = order.expires_at.replace(hour=17, minute=5) + timedelta(days=1)
    Order.objects.filter(pk=order.pk).update(expires_at=deadline)
    page = payer.see()
    assert "12:05 p.m." in page
    assert "(hora de Bogotá)" in page


def test_only_allowed_methods_are_offered(create: Callable[..., Order]) -> None:
    page = Payer(create(allowedMethods=["PSE", "CRYPTO"])).see()
    assert "/pse" in page
    assert "/crypto" in page
    assert "/transfer" not in page


def test_a_single_method_is_not_asked_for(create: Callable[..., Order]) -> None:
    payer = Payer(create(allowedMethods=["PSE"]))
    assert "Paga con PSE" in payer.see(follow=True)


def test_another_method_is_refused(create: Callable[..., Order]) -> None:
    order = create(allowedMethods=["BANK_TRANSFER"])
    page = Payer(order).send("/pse", PERSON).content.decode()
    assert "no está disponible" in page
    assert not order.charges.exists()


# --- The PSE form ------------------------------------------------------------------------------


def test_the_form_is_prefilled_and_the_bank_is_not_preselected(payer: Payer) -> None:
    page = payer.see("/pse")
    for value in ("María Fernanda Ñáñez", "maria@example.com", "1.020.304.050"):
        assert f'value="{value}"' in page
    assert '<option value="CC" selected>' in page
    assert '<option value="" selected>Elige tu banco</option>' in page
    assert '<option value="1007">' in page
    assert "Ley 1581 de 2012" in page
    assert 'name="consent" autocomplete' not in page
    assert page.count(" checked") == 1  # person type, from the document


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bank": ""}, "Elige tu banco."),
        ({"bank": "9999"}, "Elige una opción de la lista."),
        ({"bank": "1007' OR 1=1"}, "Elige una opción de la lista."),
        ({"person_type": "ALIEN"}, "Elige una opción de la lista."),
        ({"person_type": ""}, "Elige si es una persona o una empresa."),
        ({"document_type": "XX"}, "Elige una opción de la lista."),
        ({"document_number": "12"}, "La cédula tiene de 6 a 10 dígitos."),
        ({"document_number": "１２３４５６７"}, "La cédula tiene de 6 a 10 dígitos."),
        ({"document_type": "NIT", "document_number": "abc"}, "El NIT tiene 9 dígitos"),
        ({"document_number": ""}, "Escribe tu número de documento."),
        ({"name": ""}, "Escribe tu nombre completo."),
        ({"name": "Ana\x07"}, "Usa solo letras, dígitos y signos."),
        ({"name": "Ana\x00"}, "nul"),
        ({"name": "a" * 201}, "200"),
        ({"email": "maria@"}, "Escribe un correo como"),
        ({"email": "a@b.co\r\nBcc: x@y.co"}, "Escribe un correo como"),
        ({"phone": "123"}, "Escribe los 10 dígitos de tu teléfono."),
        ({"consent": ""}, "Sin tu autorización"),
    ],
)
def test_a_wrong_field_is_explained_beside_it_and_nothing_is_lost(
    changes: dict[str, str], message: str, order: Order, payer: Payer
) -> None:
    response = payer.send("/pse", {**PERSON, **changes})
    page = response.content.decode()
    assert response.status_code == 200
    assert message in page
    assert 'aria-invalid="true"' in page
    (field,) = [name for name in changes if name != "document_type" or len(changes) == 1]
    assert f'id="id_{field}_error"' in page
    assert "<title>Error" in page
    if "email" not in changes:
        assert 'value="maria@example.com"' in page
    if "bank" not in changes:
        assert '<option value="1007" selected>' in page
    assert not order.charges.exists()


def test_nothing_filled_in_names_every_field(payer: Payer) -> None:
    page = payer.send("/pse").content.decode()
    assert page.count('class="errorlist"') == 8


def test_a_nit_with_a_wrong_check_digit_is_accepted(order: Order, payer: Payer) -> None:
    company = {"document_type": "NIT", "document_number": "890.903.938-1", "person_type": "LEGAL"}
    payer.choose("/pse", {**PERSON, **company})
    assert charge_of(order).payer["document_number"] == "8909039381"


# --- The rail says no, or nothing ----------------------------------------------------------------


def test_a_refusal_at_the_start_says_what_to_do(order: Order, payer: Payer) -> None:
    page = payer.send("/pse", magic_document("refused-at-start")).content.decode()
    assert "no se te cobró nada" in page
    assert 'value="maria@example.com"' in page
    assert "¿Cómo quieres pagar?" in payer.see()


def test_a_rail_that_is_away_says_try_again(order: Order, payer: Payer) -> None:
    page = payer.send("/pse", magic_document("unavailable")).content.decode()
    assert "No podemos conectarnos" in page
    assert "Tu último intento terminó sin pago" in payer.see()


@pytest.mark.parametrize("lost", ["answer-lost-before", "answer-lost-after"])
def test_an_answer_that_was_lost_is_never_called_a_failure(
    lost: str, order: Order, payer: Payer
) -> None:
    page = payer.choose("/pse", magic_document(lost))
    assert "Estamos verificando tu pago" in page
    assert "no se te cobrará dos veces" in page


def test_a_coin_without_a_price_says_so(order: Order, payer: Payer, settings: Any) -> None:
    settings.RATE_MAX_AGE_SECONDS = 1
    newest = ExchangeRate.objects.latest("id")
    with pytest.MonkeyPatch.context() as patch:
        late = newest.effective_at + timedelta(hours=1)
        patch.setattr("payments.collect.pages.clock.now", lambda: late)
        Order.objects.filter(pk=order.pk).update(expires_at=late + timedelta(hours=1))
        page = payer.send("/crypto", {"coin": "BTC"}).content.decode()
    assert "no hay precio para esta moneda" in page


def test_a_bank_list_that_is_away_leaves_the_other_methods(
    payer: Payer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(port: Any) -> None:
        raise ports.ProviderUnavailable

    monkeypatch.setattr(type(registry.payin()), "banks", away)
    page = payer.see("/pse")
    assert "No podemos conectarnos" in page
    assert "/transfer" in page


def test_a_payer_at_the_bank_cannot_also_transfer(order: Order, payer: Payer) -> None:
    payer.choose("/pse", PERSON)
    assert "Hay un pago abierto en tu banco" in payer.see("/methods")
    page = payer.send("/transfer").content.decode()
    assert "Tu banco todavía está procesando" in page
    assert order.charges.count() == 1

    control.press(charge_of(order).pk, ports.ChargeStatus.ABANDONED)
    assert "Tu último intento terminó sin pago" in payer.see()
    assert "Haz la transferencia" in payer.choose("/transfer")


def test_a_refused_debit_is_explained(order: Order, payer: Payer) -> None:
    payer.choose("/pse", magic_document("refused"))
    control.press(charge_of(order).pk, PAID)
    page = payer.see()
    assert "El pago no fue aprobado" in page
    assert "no tiene fondos suficientes" in page
    assert "status=FAILED" in page


# --- Coming back -----------------------------------------------------------------------------------


def test_coming_back_asks_the_bank_when_its_callback_was_lost(order: Order, payer: Payer) -> None:
    payer.choose("/pse", magic_document("callback-lost"))
    control.press(charge_of(order).pk, PAID)
    assert "Tu pago está en el banco" in payer.see()

    assert "Recibimos tu pago" in payer.see("/return", follow=True)


def test_coming_back_again_and_again_asks_the_bank_once(
    order: Order, payer: Payer, monkeypatch: pytest.MonkeyPatch
) -> None:
    payer.choose("/pse", PERSON)
    asked = []
    monkeypatch.setattr(
        "payments.collect.pages.outcomes.ask_provider", lambda **about: asked.append(about)
    )
    for _ in range(20):
        payer.get(f"{payer.url}/return")
    assert len(asked) == 1
    cache.clear()


def test_coming_back_proves_nothing(order: Order, payer: Payer) -> None:
    payer.choose("/pse", PERSON)
    assert "Tu pago está en el banco" in payer.see("/return?status=APPROVED", follow=True)
    assert charge_of(order).status == "PENDING"


def test_reopening_the_link_resumes(order: Order, payer: Payer) -> None:
    payer.choose("/crypto", {"coin": "ETH"})
    address = charge_of(order).instructions["address"]
    assert address in Payer(order).see()


def test_fifty_submits_are_one_charge(order: Order, payer: Payer) -> None:
    for _ in range(50):
        assert payer.send("/transfer").status_code == 303
    for _ in range(50):
        assert payer.send("/pse", PERSON).status_code == 303
    assert order.charges.filter(method="BANK_TRANSFER").count() == 1
    assert order.charges.filter(method="PSE").count() == 1


def test_the_way_back_keeps_the_merchants_query_and_says_what_it_is_not(
    order: Order, payer: Payer
) -> None:
    payer.choose("/transfer")
    assert "cafeandino.example" not in payer.see()
    control.resolve(charge_of(order).pk, PAID)

    page = payer.see()
    (link,) = re.findall(r'href="(https://cafeandino\.example[^"]*)"', page)
    parts = urlsplit(link.replace("&amp;", "&"))
    assert parts.query.startswith("pedido=7&x=%C3%B1&")
    assert parts.fragment == "abajo"
    assert parse_qsl(parts.query)[2:] == [
        ("id", order.pk),
        ("reference", order.reference),
        ("status", "COMPLETED"),
        ("confirmation", "webhook"),
    ]
    assert "data-return=" in page

    Order.objects.filter(pk=order.pk).update(paid_at=clock.now() - timedelta(hours=1))
    assert "data-return=" not in payer.see()


def test_an_order_without_callback_url_has_no_way_back(create: Callable[..., Order]) -> None:
    order = create()
    payer = Payer(order)
    payer.choose("/transfer")
    control.resolve(charge_of(order).pk, PAID)
    assert "Puedes cerrar esta página" in payer.see()


# --- The time is over --------------------------------------------------------------------------------


@pytest.mark.parametrize("is_recorded", [False, True], ids=["deadline passed", "EXPIRED"])
def test_after_the_deadline(is_recorded: bool, order: Order, payer: Payer) -> None:
    payer.choose("/transfer")
    pass_deadline(order)
    if is_recorded:
        expiry.expire_if_due(order_id=order.pk, now=clock.now())
    page = payer.see()
    assert "Se acabó el tiempo para pagar" in page
    assert "Si ya pagaste, tu dinero está seguro" in page
    for path in ("/methods", "/pse", "/crypto"):
        assert payer.get(payer.url + path).headers["Location"] == payer.url
    assert payer.send("/pse", PERSON).headers["Location"] == payer.url
    assert payer.send("/transfer").headers["Location"] == payer.url
    assert payer.send("/crypto", {"coin": "BTC"}).headers["Location"] == payer.url
    assert order.charges.count() == 1


def test_a_payer_at_the_bank_is_not_told_that_time_is_over(order: Order, payer: Payer) -> None:
    payer.choose("/pse", PERSON)
    pass_deadline(order)
    assert "Tu pago está en el banco" in payer.see()


# --- Live state ----------------------------------------------------------------------------------------


def test_the_version_changes_whenever_the_page_does(order: Order, payer: Payer) -> None:
    def version() -> str:
        return payer.get(f"{payer.url}/state").json()["version"]

    seen = [version()]
    payer.choose("/crypto", {"coin": "BTC"})
    seen.append(version())
    payer.choose("/transfer")
    seen.append(version())
    control.deposit(charge_of(order).pk, Decimal(1000))
    seen.append(version())
    control.deposit(charge_of(order).pk, Decimal(1000))
    seen.append(version())
    control.resolve(charge_of(order).pk, PAID)
    seen.append(version())
    assert len(set(seen)) == len(seen)
    assert version() == seen[-1]


def test_the_state_costs_one_query(
    order: Order, payer: Payer, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        response = payer.get(f"{payer.url}/state")
    assert response.json()["status"] == "PENDING"
    assert response.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in response.headers


def test_pages_poll_until_the_order_is_final(order: Order, payer: Payer) -> None:
    assert f'data-state="{payer.url}/state"' in payer.see()
    payer.choose("/transfer")
    control.resolve(charge_of(order).pk, PAID)
    assert "data-state" not in payer.see()


# --- Language ---------------------------------------------------------------------------------------------


def test_spanish_first_whatever_the_browser_says(payer: Payer) -> None:
    assert '<html lang="es">' in payer.see(headers={"Accept-Language": "en-US,en"})


def test_english_is_one_link_away_and_is_remembered(payer: Payer) -> None:
    page = payer.see("/pse?lang=en")
    assert '<html lang="en">' in page
    assert "Pay with PSE" in page
    page = payer.see()
    assert "How do you want to pay?" in page
    assert "$ 50,025 COP" in page
    assert '<html lang="es">' in payer.see("?lang=es")
    assert '<html lang="es">' in payer.see()


def test_another_language_is_ignored(payer: Payer) -> None:
    response = payer.get(payer.url, {"lang": "../de"})
    assert '<html lang="es">' in response.content.decode()
    assert "django_language" not in response.cookies


# --- Strangers and bad input -----------------------------------------------------------------------------------


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
def test_a_form_without_its_csrf_token_does_nothing(
    path: str, order: Order, payer: Payer
) -> None:
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
    merchant.name = '<script>alert(1)</script>"\'>'
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
    assert re.findall(r"<script[^>]*>", page) == ['<script src="/static/pay/pay.js" defer>']
    assert all(url.startswith(("/", "?", "#")) for url in re.findall(r'(?:href|src)="([^"]*)"', page))
