"""The form of PSE, and what a payer is told when something is refused."""

from datetime import timedelta
from typing import Any

import pytest

from payments.collect.models import Order
from payments.providers import ports, registry
from payments.rates.models import ExchangeRate
from payments.simulator import control
from tests.collect.test_pages.conftest import PERSON, Payer, charge_of, magic_document
from tests.support.charges import say

pytestmark = pytest.mark.django_db
PAID = ports.ChargeStatus.SUCCEEDED


# --- The PSE form ---------------------------------------------------------------------------------


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
        ({"bank": ""}, "Elige tu banco de la lista."),
        ({"bank": "9999"}, "Elige una opción de la lista."),
        ({"bank": "1007' OR 1=1"}, "Elige una opción de la lista."),
        ({"person_type": "ALIEN"}, "Elige una opción de la lista."),
        ({"person_type": ""}, "Elige persona natural o jurídica."),
        ({"document_type": "XX"}, "Elige una opción de la lista."),
        ({"document_number": "12"}, "La cédula tiene de 6 a 10 dígitos."),
        ({"document_number": "１２３４５６７"}, "La cédula tiene de 6 a 10 dígitos."),
        ({"document_type": "NIT", "document_number": "abc"}, "El NIT tiene 9 dígitos"),
        ({"document_number": ""}, "Escribe tu número de documento, sin puntos."),
        ({"name": ""}, "Escribe tu nombre completo."),
        ({"name": "Ana\x07"}, "Usa solo letras, números y signos."),
        ({"name": "Ana\x00"}, "nul"),
        ({"name": "a" * 201}, "200"),
        ({"email": "maria@"}, "Escribe un correo como"),
        ({"email": "a@b.co\r\nBcc: x@y.co"}, "Escribe un correo como"),
        ({"phone": "123"}, "Son 10 dígitos y empiezan por 3."),
        ({"consent": ""}, "Marca la casilla para autorizarnos."),
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


COMPANY = {**PERSON, "document_type": "NIT", "person_type": "LEGAL", "name": "Café Andino S.A.S."}


@pytest.mark.parametrize(
    ("typed", "kept", "right"),
    [
        ("890.903.938-1", "8909039381", "890.903.938-8"),
        ("8909039387", "8909039387", "890.903.938-8"),
        ("890903937", "890903937", "890.903.937-0"),
        ("79.123.456-1", "791234561", "79.123.456-0"),
    ],
)
def test_a_nit_with_a_strange_check_digit_is_asked_about_once(
    typed: str, kept: str, right: str, order: Order, payer: Payer
) -> None:
    company = {**COMPANY, "document_number": typed}
    page = payer.send("/pse", company).content.decode()
    assert f"{right}." in page
    assert f'name="nit_kept" value="{kept}"' in page
    assert 'value="maria@example.com"' in page
    other = payer.send("/pse", {**company, "nit_kept": "8000000001"}).content.decode()
    assert right in other  # asked about another number
    assert not order.charges.exists()
    payer.choose("/pse", {**company, "nit_kept": kept})
    assert charge_of(order).payer["document_number"] == kept


@pytest.mark.parametrize("typed", ["890.903.938-8", "8909039388", "80.123.456", "801234564"])
def test_a_right_nit_and_one_of_a_person_are_not_asked_about(
    typed: str, order: Order, payer: Payer
) -> None:
    payer.choose("/pse", {**COMPANY, "document_number": typed})
    assert order.charges.exists()


def test_a_nit_that_the_shop_sent_is_not_asked_about(create: Any) -> None:
    order = create(customerDocType="NIT", customerDocNumber="890.903.938-1")
    Payer(order).choose("/pse", {**COMPANY, "document_number": "890.903.938-1"})
    assert charge_of(order).payer["document_number"] == "8909039381"


def test_a_company_without_a_name_is_asked_for_its_legal_name(payer: Payer) -> None:
    nameless = {**COMPANY, "document_number": "8909039388", "name": ""}
    page = payer.send("/pse?lang=en", nameless).content.decode()
    assert "Enter the legal name." in page
    assert "Enter your full name." not in page


# --- The rail says no, or nothing -----------------------------------------------------------------


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
        patch.setattr("payments.collect.checkout.views.clock.now", lambda: late)
        Order.objects.filter(pk=order.pk).update(expires_at=late + timedelta(hours=1))
        page = payer.send("/crypto", {"coin": "BTC"}).content.decode()
    assert "no hay precio para esta moneda" in page


def test_a_bank_list_that_is_away_leaves_the_other_methods(
    payer: Payer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(port: Any) -> None:
        raise ports.ProviderUnreachable

    monkeypatch.setattr(type(registry.PAYIN.configured()), "banks", away)
    page = payer.see("/pse")
    assert "No podemos conectarnos" in page
    assert "/transfer" in page


def test_a_payer_at_the_bank_cannot_also_transfer(order: Order, payer: Payer) -> None:
    payer.choose("/pse", PERSON)
    assert "Hay un pago abierto en tu banco" in payer.see("/methods")
    pending = charge_of(order)
    page = payer.send("/transfer").content.decode()
    assert f'href="{payer.url}"' in page
    assert 'name="seen"' not in page  # there is nothing to insist on
    insisting = payer.send("/transfer", {"seen": pending.pk}).content.decode()
    assert "Un pago de esta orden sigue en curso" in insisting
    assert order.charges.count() == 1

    control.decide(charge_of(order).pk, ports.ChargeStatus.ABANDONED)
    assert "Tu último intento terminó sin pago" in payer.see()
    assert "Haz la transferencia" in payer.choose("/transfer")


def test_a_refused_debit_is_explained(order: Order, payer: Payer) -> None:
    payer.choose("/pse", magic_document("refused"))
    control.decide(charge_of(order).pk, PAID)
    page = payer.see()
    assert "El pago no fue aprobado" in page
    assert "no tiene fondos suficientes" in page
    assert "status=FAILED" in page


WALLET = {"phone": "3105551234", "consent": "on"}


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("", "Your wallet did not approve it."),
        ("INSUFFICIENT_FUNDS", "According to your wallet, it has not enough funds."),
        ("CANCELLED_BY_PAYER", "It was cancelled before it was approved."),
        ("TIME_LIMIT", "The time to approve it was over."),
        ("Error 51 of host", "Your wallet did not approve it."),
    ],
)
def test_a_wallet_that_refuses_is_not_called_a_bank(
    reason: str, said: str, order: Order, payer: Payer
) -> None:
    order.merchant.retry_enabled = True
    order.merchant.save()
    payer.see("?lang=en")
    payer.choose("/with/push_wallet", WALLET)
    say(charge_of(order), "FAILED", reason=reason)
    page = payer.see()
    assert said in page
    assert "My wallet shows the debit" in page
    assert "If your wallet shows a debit" in page
    task = page.partition("<main")[2].partition("</main>")[0]
    assert "bank" not in task
    assert "If your wallet shows the debit" in payer.see("/paid")
