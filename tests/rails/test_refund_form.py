"""The form of a refund by payout is as strict as POST /payout, and only the chosen way counts."""

import re

import pytest

from payments.collect.models import Refund
from tests.collect.test_pages.conftest import Payer
from tests.rails.test_refunds_by_payout import (  # noqa: F401 (a fixture)
    ACCOUNT,
    DESTINATION,
    ask,
    give,
    paid,
    path_of,
)

pytestmark = pytest.mark.django_db
BANKS = "GET /v1/banks"


@pytest.fixture(autouse=True)
def _language(settings):
    settings.LANGUAGE_CODE = "es"


@pytest.fixture
def link(api, paid):  # noqa: F811
    order, payouts = paid
    return order, path_of(ask(api, order)), payouts


def bank_of(order, path, name):
    page = Payer(order).get(path).content.decode()
    return re.search(rf'<option value="([0-9a-f-]{{36}})">{name}<', page)[1]


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"network": ""}, "network", "Elige una cuenta o una llave."),
        ({"bank_code": ""}, "bank_code", "Elige tu banco."),
        ({"account_type": ""}, "account_type", "Elige el tipo de cuenta."),
        ({"account_number": ""}, "account_number", "Escribe tu número de cuenta."),
        ({"account_number": "12345"}, "account_number", "tiene de 6 a 20 dígitos"),
        ({"account_number": "000000"}, "account_number", "tiene de 6 a 20 dígitos"),
        ({"account_number": "12AB56789"}, "account_number", "tiene de 6 a 20 dígitos"),
        ({"recipient_name": "Ana\x07"}, "recipient_name", "Usa solo letras"),
        ({"document_number": "12"}, "document_number", "La cédula tiene de 6 a 10 dígitos."),
        ({"consent": ""}, "consent", "Sin tu autorización"),
        ({"document_type": ""}, "document_type", "Elige el tipo de tu documento."),
    ],
)
def test_wrong_account_is_explained_beside_its_field(link, changes, field, message):
    order, path, _ = link
    page = give(order, path, **changes).content.decode()
    assert page.count(message) == 1  # beside the field; the summary has a link to it
    assert f'id="id_{field}_error"' in page
    assert f'<a href="#id_{field}">' in page
    assert Refund.objects.get().needs_destination


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        ("PHONE", "601 555 1234", "Escribe los 10 dígitos de tu celular"),
        ("EMAIL", "maria@", "Escribe un correo como"),
        ("ALPHANUMERIC", "maria123", "Esta llave es @ y de 5 a 20 letras o dígitos."),
        ("ALPHANUMERIC", "@ab", "Esta llave es @ y de 5 a 20 letras o dígitos."),
        ("ID", "1" * 19, "Escribe tu número de documento, sin puntos."),
        ("PHONE", "", "Escribe tu llave."),
    ],
)
def test_wrong_key_is_explained_beside_its_field(link, kind, value, message):
    order, path, _ = link
    answer = give(order, path, network="BREB", key_type=kind, key_value=value)
    page = answer.content.decode()
    assert page.count(message) == 1  # beside the field; the summary has a link to it
    assert 'id="id_key_value_error"' in page
    assert Refund.objects.get().needs_destination


@pytest.mark.parametrize(
    ("kind", "value", "kept"),
    [
        ("PHONE", "+57 310 555 1234", "3105551234"),
        ("ID", "1.020.304.050", "1020304050"),
        ("EMAIL", " maria@example.com ", "maria@example.com"),
        ("ALPHANUMERIC", "@maria123", "@maria123"),
    ],
)
def test_key_is_kept_as_rails_take_it(link, kind, value, kept):
    order, path, _ = link
    assert give(order, path, network="BREB", key_type=kind, key_value=value).status_code == 303
    destination = Refund.objects.get().destination
    assert destination["key_value"] == kept
    assert "account_number" not in destination


def test_errors_of_the_way_that_was_not_chosen_do_not_count(link):
    order, path, _ = link
    wrong = {"bank_code": "nothing", "account_type": "X", "account_number": "1" * 40}
    answer = give(order, path, network="BREB", key_type="PHONE", key_value="3105551234", **wrong)
    assert answer.status_code == 303
    assert set(Refund.objects.get().destination) == {
        *("network", "key_type", "key_value"),
        *("recipient_name", "document_type", "document_number"),
    }


def test_account_at_a_mobile_bank_is_a_mobile(link):
    order, path, _ = link
    nequi = bank_of(order, path, "NEQUI")
    page = give(order, path, bank_code=nequi).content.decode()
    assert page.count("Escribe los 10 dígitos de tu celular") == 1
    answer = give(order, path, bank_code=nequi, account_number="+57 310 555 1234")
    assert answer.status_code == 303
    assert Refund.objects.get().destination["account_number"] == "3105551234"


def test_account_is_checked_also_without_a_bank(link):
    order, path, _ = link
    page = give(order, path, bank_code="", account_number="12").content.decode()
    assert 'id="id_bank_code_error"' in page
    assert 'id="id_account_number_error"' in page


def test_account_is_kept_without_separators(link):
    order, path, _ = link
    assert give(order, path, account_number="123-456 789.01").status_code == 303
    assert Refund.objects.get().destination["account_number"] == "12345678901"


def test_rail_without_banks_is_not_asked_by_every_payer(link):
    order, path, payouts = link
    payouts.control.fault("GET /v1/banks", "error_500", times=None)
    for _ in range(3):
        page = Payer(order).get(path).content.decode()
        assert 'value="BREB" ' in page
        assert 'name="bank_code"' not in page
    assert payouts.control.state()["requests"][BANKS] == 1


def test_banks_are_read_once_an_hour(link):
    order, path, payouts = link
    for _ in range(3):
        Payer(order).get(path)
    assert payouts.control.state()["requests"][BANKS] == 1


def test_details_are_compared_on_a_page_of_their_own_before_they_are_kept(link):
    order, path, _ = link
    payer = Payer(order)
    first = payer.get(f"{path}?lang=en").content.decode()
    assert f'value="{order.customer_name}"' in first  # the receipt shows it, too
    assert order.customer_doc_number not in first
    bank = bank_of(order, path, "BANCOLOMBIA")
    form = {
        "csrfmiddlewaretoken": payer.cookies["csrftoken"].value,
        **DESTINATION,
        "bank_code": bank,
        "account_number": "123-456 789.01",
    }
    page = payer.post(path, form).content.decode()
    assert "<h1>Check your details</h1>" in page
    for shown in ("BANCOLOMBIA", "12345678901", DESTINATION["recipient_name"]):
        assert f">{shown}</bdi>" in page
    assert Refund.objects.get().needs_destination

    (compared,) = re.findall(r'name="compared" value="(\w+)"', page)
    other = {**form, "account_number": "12345678902", "compared": compared}
    assert "12345678902" in payer.post(path, other).content.decode()  # it is compared, too
    assert Refund.objects.get().needs_destination
    back = payer.post(path, {**form, "change": "yes"}).content.decode()
    assert 'value="123-456 789.01"' in back
    assert Refund.objects.get().needs_destination

    same = {**form, "account_number": "12345678901", "compared": compared}
    assert payer.post(path, same).status_code == 303
    assert Refund.objects.get().destination["account_number"] == "12345678901"
