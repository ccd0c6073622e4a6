"""What the rail wants the payer to accept: on the page, over the Direct API, and kept as proof."""

import re
from datetime import timedelta

import pytest
from django.core.cache import cache

from payments.collect.models import Charge
from payments.collect.services.charges import charge_initiation
from payments.core import clock
from payments.providers.account import Mode
from payments.providers.wompi import transactions
from payments.providers.wompi.payin import _DOCUMENTS
from payments.rails.services import rail_lists
from tests.admin.conftest import Console, ana, beto, clerk, console, person  # noqa: F401
from tests.collect.test_pages.conftest import PERSON, Payer
from tests.rails.accounts import route, wompi
from tests.rails.terms import WOMPI_TERMS, accepted, box_of
from tests.support.charges import create

pytestmark = pytest.mark.django_db
ADULT = {**PERSON, "bank": "1"}
URLS = [term.url for term in WOMPI_TERMS]
MERCHANT = "GET /v1/merchants/{public_key}"


@pytest.fixture(autouse=True)
def _language(settings):
    settings.LANGUAGE_CODE = "es"


@pytest.fixture
def fake():
    with wompi() as server:
        route("payin", "wompi-main")
        yield server


def merchant_calls(fake):
    requests = fake.control.state()["requests"]
    return sum(count for one, count in requests.items() if "/merchants/" in one)


def test_payer_reads_the_documents_and_has_to_accept_them(api, fake):
    payer = Payer(create(api))
    page = payer.see("/pse")
    for url in URLS:
        assert f'href="{url}" target="_blank" rel="noopener noreferrer"' in page
    assert "términos de uso de Wompi" in page
    refused = payer.send("/pse", ADULT)
    assert refused.status_code == 200
    assert "Marca la casilla para aceptarlos." in refused.content.decode()
    assert not Charge.objects.exists()
    payer.choose("/pse", {**ADULT, **box_of(page)})
    assert Charge.objects.get().provider == "wompi-main"


def test_acceptance_is_kept_with_time_address_and_documents(api, fake):
    payer = Payer(create(api))
    before = clock.now()
    payer.choose("/pse", accepted(payer, "/pse", ADULT))
    kept = Charge.objects.get().accepted_terms
    assert [one["url"] for one in kept["documents"]] == URLS
    assert kept["ip"] == "127.0.0.1"
    assert before.isoformat() <= kept["at"] <= clock.now().isoformat()


def test_address_of_the_payer_reaches_the_rail(api, fake):
    payer = Payer(create(api))
    payer.defaults["HTTP_USER_AGENT"] = "Firefox\x00"
    payer.choose("/pse", accepted(payer, "/pse", ADULT))
    charge = Charge.objects.get()
    assert charge.client["ip"] == "127.0.0.1"
    request = charge_initiation._request(charge)
    assert (request.client_ip, request.user_agent) == ("127.0.0.1", "Firefox")
    tokens = {name: {"acceptance_token": "eyJ"} for name in _DOCUMENTS}
    assert transactions.creation_body(request, tokens, Mode.SANDBOX)["ip"] == "127.0.0.1"


def test_tick_for_other_documents_is_none(api, fake):
    payer = Payer(create(api))
    payer.see("/pse")
    answer = payer.send("/pse", {**ADULT, "terms": "0" * 32})
    assert answer.status_code == 200
    assert not Charge.objects.exists()


def test_direct_method_without_fields_asks_for_the_acceptance(api, fake):
    payer = Payer(create(api))
    assert re.search(r'<a class="method" href="[^"]*/with/wompi_bancolombia"', payer.see())
    page = payer.see("/with/wompi_bancolombia")
    assert URLS[0] in page
    assert "checked" not in page


def test_documents_that_changed_at_the_rail_are_shown_before_anything_is_sent(api, fake):
    payer = Payer(create(api))
    box = box_of(payer.see("/pse"))
    rail_lists.forget("wompi-main")
    documents = WOMPI_TERMS[:1]
    cache.set("rail:wompi-main:terms", (clock.now(), documents))
    answer = payer.send("/pse", {**ADULT, **box})
    assert answer.status_code == 200
    # The page shows one document, the rail has two: the charge is given up before a transaction.
    old = box_of(answer.content.decode())
    payer.send("/pse", {**ADULT, **old})
    assert Charge.objects.get().status == "ABANDONED"
    assert "POST /v1/transactions" not in fake.control.state()["requests"]
    page = payer.see("/pse")
    assert all(url in page for url in URLS)


def test_direct_api_lists_the_documents_and_needs_the_acceptance(api, fake):
    order = create(api)
    methods = api.get(f"/collect/{order.pk}/methods").body["data"]
    nequi = next(one for one in methods if one["method"] == "wompi_nequi")
    assert [one["url"] for one in nequi["terms"]] == URLS
    body = {"method": "wompi_nequi", "fields": {"phone": "3991111111"}}
    for acceptance in ({}, {"acceptedTerms": False}):
        answer = api.post(f"/collect/{order.pk}/pay", {**body, **acceptance})
        assert answer.status_code == 400
        assert answer.body["error"]["code"] == "VALIDATION_ERROR"
        assert answer.body["error"]["details"]["field"] == "acceptedTerms"
    assert not Charge.objects.exists()
    answer = api.post(f"/collect/{order.pk}/pay", {**body, "acceptedTerms": True})
    assert answer.status_code == 200, answer.body
    charge = Charge.objects.get()
    assert [one["url"] for one in charge.accepted_terms["documents"]] == URLS
    assert charge.client == {}


@pytest.mark.parametrize("value", ["true", 1, None])
def test_acceptance_is_a_json_boolean(api, fake, value):
    order = create(api)
    body = {"method": "wompi_bancolombia", "acceptedTerms": value}
    assert api.post(f"/collect/{order.pk}/pay", body).status_code == 400


def test_methods_of_the_simulator_have_no_terms(api):
    methods = api.get(f"/collect/{create(api).pk}/methods").body["data"]
    assert methods
    assert not any("terms" in one for one in methods)
    assert "terms" not in Payer(create(api)).see("/pse")


def test_rail_that_cannot_list_its_documents_takes_no_new_charge(api, fake):
    fake.control.fault("GET /v1/merchants/*", "error_500", times=None)
    order = create(api)
    assert "No podemos conectarnos con la red de pagos" in Payer(order).see("/pse")
    assert api.get(f"/collect/{order.pk}/methods").status_code == 503


def test_documents_are_read_once_an_hour(api, fake):
    payer = Payer(create(api))
    for _ in range(3):
        payer.see("/pse")
    assert merchant_calls(fake) == 1
    make_older(timedelta(minutes=61))
    payer.see("/pse")
    assert merchant_calls(fake) == 2


def test_last_documents_serve_for_a_day_while_the_rail_does_not_answer(api, fake):
    payer = Payer(create(api))
    payer.see("/pse")
    fake.control.fault("GET /v1/merchants/*", "error_500", times=None)
    make_older(timedelta(hours=23))
    for _ in range(3):
        assert URLS[0] in payer.see("/pse")
    assert merchant_calls(fake) == 2  # payers do not wait for it each time


def test_rail_without_documents_is_asked_again_after_some_seconds(api, fake):
    fake.control.fault("GET /v1/merchants/*", "error_500", times=None)
    payer = Payer(create(api))
    for _ in range(3):
        payer.see("/pse")
    assert merchant_calls(fake) == 1  # payers do not wait for it each time
    fake.control.call("DELETE", "faults")
    cache.delete("rail:wompi-main:terms:failed")  # as after rail_lists.FAILURE_SECONDS
    assert URLS[0] in payer.see("/pse")


def make_older(age):
    key = "rail:wompi-main:terms"
    fetched_at, documents = cache.get(key)
    cache.set(key, (fetched_at - age, documents))


def test_operator_sees_what_was_accepted(api, fake, console):  # noqa: F811
    payer = Payer(create(api))
    payer.choose("/pse", accepted(payer, "/pse", ADULT))
    page = console.page("collect_charge_change", Charge.objects.get().pk).content.decode()
    for fact in ("127.0.0.1", *URLS):
        assert fact in page
