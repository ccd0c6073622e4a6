"""What a rail needs to know of the payer is asked for where the order does not have it."""

import re
from dataclasses import replace

import pytest

from payments.collect.models import Charge
from payments.collect.services.charges import (
    charge_creation,
    charge_initiation,
    payin_accounts,
)
from payments.collect.services.errors import PayerFactsMissing
from payments.core import clock
from payments.providers import registry
from payments.providers.account import Mode
from payments.providers.ports import Fact, PayerNeeds, ProviderRefused, Rail, Reason
from payments.providers.wompi import transactions
from payments.simulator.rail import RAIL as SIMULATOR
from tests.collect.test_pages.conftest import PERSON, Payer
from tests.rails.accounts import route, wompi
from tests.rails.terms import WOMPI_TERMS, accepted
from tests.support.charges import create

pytestmark = pytest.mark.django_db
ADULT = {**PERSON, "bank": "1"}
FOREIGNER = {"customerDocType": "CE", "customerDocNumber": "E123456"}
CREATION = "POST /v1/transactions"


@pytest.fixture(autouse=True)
def _language(settings):
    settings.LANGUAGE_CODE = "es"


@pytest.fixture
def fake():
    with wompi() as server:
        route("payin", "wompi-main")
        yield server
        assert server.control.complaints() == []


@pytest.fixture
def curious(monkeypatch):
    """The simulator as a rail that wants to know where payers live."""
    needs = PayerNeeds(facts=(Fact.ADDRESS,))
    rail = replace(SIMULATOR, payer_needs=dict.fromkeys(Rail, needs))
    monkeypatch.setattr(registry, "rails", lambda: {rail.code: rail})


def names_of(page):
    fields = re.findall(r'<(?:input|select)[^>]* name="(\w+)"', page)
    return [name for name in dict.fromkeys(fields) if name != "csrfmiddlewaretoken"]


def main_of(page):
    return re.search(r"<main.*</main>", page, re.DOTALL)[0]


def stored():
    return Charge.objects.get()


class TestPageOfPse:
    def test_foreigner_learns_it_before_choosing_a_bank_and_sees_the_other_ways(self, api, fake):
        payer = Payer(create(api, **FOREIGNER))
        choice = payer.see()
        assert "Solo con cédula de ciudadanía (CC) o NIT de empresa" in choice
        assert "/with/wompi_nequi" in choice
        form = main_of(payer.see("/pse"))
        assert "Aquí PSE solo recibe" in form
        assert "Con CE, paga de otra forma" in form
        assert f'href="{payer.url}/methods"' in form
        assert 'value="CE"' not in form
        assert "E123456" not in form

    def test_citizen_reads_nothing_of_it(self, api, fake):
        payer = Payer(create(api))
        assert "Solo con" not in payer.see()
        page = payer.see("/pse")
        assert "no puedes pagar aquí" not in page
        assert '<option value="CC" selected>' in page

    def test_passport_is_refused_beside_its_field(self, api, fake):
        payer = Payer(create(api))
        form = accepted(payer, "/pse", {**ADULT, "document_type": "PP", "document_number": "A1"})
        page = payer.send("/pse", form).content.decode()
        assert 'id="id_document_type_error"' in page
        assert not Charge.objects.exists()

    def test_foreigner_may_pay_with_the_account_of_a_citizen(self, api, fake):
        order = create(api, **FOREIGNER)
        payer = Payer(order)
        payer.choose("/pse", accepted(payer, "/pse", ADULT))
        paid_by, customer = stored().payer, order.customer_doc_number
        assert (paid_by["document_type"], paid_by["document_number"]) == ("CC", "1020304050")
        order.refresh_from_db()
        assert (order.customer_doc_type, order.customer_doc_number) == ("CE", customer)
        assert stored().provider_id

    def test_company_pays_with_its_nit(self, api, fake):
        payer = Payer(create(api))
        company = {**ADULT, "person_type": "LEGAL"}
        page = payer.send("/pse", accepted(payer, "/pse", company)).content.decode()
        assert "Una persona jurídica paga con su NIT." in page
        company |= {"document_type": "NIT", "document_number": "900.123.456-8"}
        payer.choose("/pse", accepted(payer, "/pse", company))
        body = transactions._method(request_of(stored()), Mode.SANDBOX)
        assert (body["user_type"], body["user_legal_id_type"]) == (1, "NIT")
        assert stored().provider_id

    @pytest.mark.parametrize("phone", ["", "601 555 1234", "123"])
    def test_phone_is_a_mobile(self, api, fake, phone):
        payer = Payer(create(api))
        form = accepted(payer, "/pse", {**ADULT, "phone": phone})
        page = payer.send("/pse", form).content.decode()
        assert 'id="id_phone_error"' in page
        assert not Charge.objects.exists()

    def test_account_that_takes_the_document_comes_first(self, api, fake):
        route("payin", "simulator", priority=500)
        citizen, foreigner = create(api), create(api, reference="B", **FOREIGNER)
        assert payin_accounts.serving_account(citizen, "PSE").account == "wompi-main"
        assert payin_accounts.serving_account(foreigner, "PSE").account == "simulator"
        page = Payer(foreigner).see("/pse")
        assert '<option value="CE" selected>' in page
        assert "no puedes pagar" not in page


def request_of(charge):

    return charge_initiation._request(charge)


class TestStart:
    def start(self, order, **changes):
        payer = replace(charge_creation.payer_of(order), **changes)
        return charge_creation.start_charge(
            order=order,
            choice=charge_creation.PaymentChoice(
                method="PSE",
                payer=payer,
                fields={"bankCode": "1", "personType": "NATURAL"},
                return_url=order.return_url,
                accepted=WOMPI_TERMS,
            ),
            now=clock.now(),
        )

    def test_account_gets_no_charge_without_what_it_needs(self, api, fake):
        with pytest.raises(PayerFactsMissing) as refused:
            self.start(create(api))
        assert refused.value.details["field"] == "fields.payerPhone"
        assert not Charge.objects.exists()
        assert CREATION not in fake.control.state()["requests"]

    def test_account_that_knows_enough_gets_the_charge(self, api, fake):
        route("payin", "simulator", priority=500)
        order = create(api)
        informed = payin_accounts.informed_accounts(
            ["wompi-main", "simulator"],
            "PSE",
            charge_creation.payer_of(order),
            payin_accounts.load_routes(),
        )
        assert informed == ["simulator"]
        assert self.start(order, phone="3105551234").provider == "wompi-main"

    @pytest.mark.parametrize(
        "changes", [{"phone": ""}, {"name": ""}, {"document_type": "PP"}, {"document_number": ""}]
    )
    def test_adapter_refuses_before_it_calls(self, api, fake, changes):
        charge = self.start(create(api), phone="3105551234")
        before = fake.control.state()["requests"][CREATION]
        request = request_of(charge)
        other = replace(request, payer=replace(request.payer, **changes))
        with pytest.raises(ProviderRefused) as refused:
            registry.PAYIN.get("wompi-main").start(other, 5)
        assert refused.value.reason == Reason.INVALID_REQUEST
        assert fake.control.state()["requests"][CREATION] == before


class TestOtherMethods:
    def test_method_asks_for_what_is_missing_and_keeps_it_with_the_charge(self, api, curious):
        order = create(api)
        payer = Payer(order)
        form = payer.send("/transfer").content.decode()
        assert names_of(main_of(form)) == ["step", "payerAddress", "consent"]
        refused = payer.send("/transfer", {"step": "terms"}).content.decode()
        assert "Escribe tu dirección." in refused
        assert not Charge.objects.exists()
        filled = {"step": "terms", "payerAddress": "Calle 1 # 2-3", "consent": "on"}
        payer.choose("/transfer", filled)
        assert stored().payer["address"] == "Calle 1 # 2-3"
        assert stored().fields == {}
        assert request_of(stored()).payer.address == "Calle 1 # 2-3"
        # The same choice again is the same charge.
        payer.choose("/transfer", filled)
        assert Charge.objects.count() == 1

    def test_coin_and_pse_ask_for_it_too(self, api, curious):
        payer = Payer(create(api))
        assert names_of(main_of(payer.see("/crypto"))) == [
            *("step", "coin", "payerAddress", "consent")
        ]
        assert "address" in names_of(main_of(payer.see("/pse")))
        page = payer.send(
            "/crypto", {"step": "coin", "coin": "BTC", "payerAddress": "Calle 9"}
        ).content.decode()
        assert 'value="Calle 9"' in page
        assert re.search(r'value="BTC-bitcoin"[^>]* checked', page)

    def test_second_click_keeps_what_was_typed(self, api, curious):
        payer = Payer(create(api))
        payer.choose("/pse", {**PERSON, "address": "Calle 1"})
        page = payer.send("/pse", {**PERSON, "address": "Calle 2"}).content.decode()
        assert 'name="address" value="Calle 2"' in page

    def test_rail_that_needs_nothing_asks_nothing(self, api):
        payer = Payer(create(api))
        payer.choose("/transfer")
        assert "address" not in stored().payer
        coins = main_of(payer.see("/crypto"))
        assert names_of(coins) == ["step"]
        assert '<button class="method coin" name="coin"' in coins
        assert names_of(main_of(payer.see("/pse"))) == [
            *("bank", "person_type", "document_type", "document_number"),
            *("name", "email", "phone", "consent"),
        ]


class TestDirectApi:
    def methods(self, api, order):
        found = api.get(f"/collect/{order.pk}/methods").body["data"]
        return {one["method"]: one for one in found}

    def pay(self, api, order, fields, **changes):
        body = {"method": "wompi_pse", "fields": fields, "acceptedTerms": True, **changes}
        return api.post(f"/collect/{order.pk}/pay", body)

    def test_method_lists_what_the_order_does_not_have(self, api, fake):
        pse = self.methods(api, create(api))["wompi_pse"]
        asked = {one["key"]: one["type"] for one in pse["requiredFields"]}
        assert asked == {"bankCode": "bankSelect", "personType": "select", "payerPhone": "phone"}
        bank = pse["requiredFields"][0]
        assert {"value": "1", "label": "Banco que aprueba"} in bank["options"]

    def test_method_asks_a_foreigner_for_a_document_that_it_takes(self, api, fake):
        order = create(api, **FOREIGNER)
        asked = self.methods(api, order)["wompi_pse"]["requiredFields"]
        kind = next(one for one in asked if one["key"] == "payerDocType")
        assert [one["value"] for one in kind["options"]] == ["CC", "NIT"]
        fields = {"bankCode": "1", "personType": "NATURAL", "payerPhone": "3105551234"}
        answer = self.pay(api, order, {**fields, "payerDocType": "CE", "payerDocNumber": "E1"})
        assert answer.status_code == 400
        assert answer.body["error"]["details"]["field"] == "fields.payerDocType"
        document = {"payerDocType": "CC", "payerDocNumber": "1.020.304.050"}
        assert self.pay(api, order, {**fields, **document}).status_code == 200
        assert stored().payer["document_number"] == "1020304050"
        assert stored().fields == {"bankCode": "1", "personType": "NATURAL"}

    def test_missing_facts_are_named(self, api, fake):
        order = create(api, **FOREIGNER)
        answer = self.pay(api, order, {"bankCode": "1", "personType": "NATURAL"})
        assert answer.status_code == 400
        error = answer.body["error"]
        assert error["code"] == "VALIDATION_ERROR"
        assert set(error["details"]["fields"]) == {
            *("fields.payerPhone", "fields.payerDocType", "fields.payerDocNumber"),
        }
        assert not Charge.objects.exists()

    def test_shop_may_send_them_as_the_payer(self, api, fake):
        order = create(api, **FOREIGNER)
        payer = {"phone": "310 555 1234", "docType": "CC", "docNumber": "1.020.304.050"}
        fields = {"bankCode": "1", "personType": "NATURAL"}
        assert self.pay(api, order, fields, payer=payer).status_code == 200
        assert stored().payer["phone"] == "3105551234"

    def test_payer_with_another_document_than_the_customer_is_asked_for_one_that_counts(
        self, api, fake
    ):
        order = create(api)
        fields = {"bankCode": "1", "personType": "NATURAL", "payerPhone": "3105551234"}
        payer = {"docType": "PP", "docNumber": "A1"}
        answer = self.pay(api, order, fields, payer=payer)
        assert answer.status_code == 400
        assert answer.body["error"]["details"]["field"] == "fields.payerDocType"

    def test_method_that_needs_nothing_more_lists_only_its_own_fields(self, api, fake):
        found = self.methods(api, create(api))
        assert [one["key"] for one in found["wompi_nequi"]["requiredFields"]] == ["phone"]
        assert found["wompi_bancolombia"]["requiredFields"] == []


class TestRouteOfOneDirectMethod:
    def test_its_method_is_offered_and_no_other(self, api):
        with wompi():
            route("payin", "wompi-main", method="wompi_nequi")
            order = create(api)
            found = api.get(f"/collect/{order.pk}/methods").body["data"]
            assert [one["method"] for one in found] == ["wompi_nequi"]
            page = Payer(order).see()
            assert re.findall(r"/with/(\w+)", page) == ["wompi_nequi"]

    def test_route_of_pse_alone_offers_no_direct_method(self, api):
        with wompi():
            route("payin", "wompi-main", method="PSE")
            assert api.get(f"/collect/{create(api).pk}/methods").body["data"] == []
