"""Payers transfer to the operator's own account: what they see, and what an operator enters."""

from decimal import Decimal
from html import unescape

import pytest

from payments.collect.checkout.own_qr import code_shown
from payments.collect.models import Charge
from payments.collect.templatetags.pay import qr
from payments.core import clock, money
from payments.providers.account import Finding, InvalidCredentials, Mode, RailAccount
from payments.providers.breb_qr.decoding import decode
from payments.providers.breb_qr.own_qr import with_amount
from payments.rails.models import ProviderAccount
from payments.rails.services import checks
from payments.reconciliation.bankfile import credentials
from payments.reconciliation.references import find_references, new_reference
from tests.collect.test_pages.conftest import Payer
from tests.providers.breb_qr.samples import static
from tests.rails.accounts import enter, route
from tests.reconciliation.lines import CREDENTIALS, own_account
from tests.support.charges import create

pytestmark = pytest.mark.django_db
KEY = {"key_type": "ALPHANUMERIC", "key_value": "@EJEMPLO1234"}


@pytest.fixture(autouse=True)
def _english(settings):
    settings.LANGUAGE_CODE = "en"


def connect(**more):
    enter("own", "bankfile", "", {**CREDENTIALS, **more})
    route("payin", "own")


class TestPage:
    def test_payer_sees_the_account_the_reference_and_the_amount(self, api):
        connect()
        order = create(api)
        page = Payer(order).choose("/transfer")
        charge = Charge.objects.get(order=order)
        assert charge.reference_at_rail == charge.instructions["reference"]
        for text in ("Bancolombia", "12345678901", "Tienda Andina SAS", "900123456", "Savings"):
            assert text in page
        assert charge.instructions["reference"] in page
        assert "Bre-B" not in page

    def test_account_with_a_key_offers_the_key_as_well(self, api):
        connect(**KEY)
        page = Payer(create(api)).choose("/transfer")
        assert "@EJEMPLO1234" in page
        assert "12345678901" in page

    @pytest.mark.parametrize("flag", ["", "on"])
    def test_code_of_the_bank_is_shown_with_the_amount_to_type_or_in_it(self, api, flag):
        connect(**KEY, qr_text=static(), amount_in_qr=flag)
        order = create(api)
        page = Payer(order).choose("/transfer")
        amount = money.shown(order.amount, "COP")
        assert ("It has the amount in it" if flag else "The code has no amount") in page
        assert f"<strong>{amount}</strong>" in page
        shown = code_shown(Charge.objects.get(order=order).instructions, order.amount)
        assert shown.text == (with_amount(static(), order.amount) if flag else static())
        assert qr(shown.text, "l") in unescape(page)

    def test_code_with_the_amount_has_what_is_missing_after_a_part(self):
        told = {"qr": static(), "qrTakesAmount": "yes"}
        code = decode(code_shown(told, Decimal("30025")).text)
        assert (code.amount, code.key.value) == (30_025, "@EJEMPLO1234")

    def test_account_without_a_code_shows_none(self, api):
        connect(**KEY)
        assert "figure" not in Payer(create(api)).choose("/transfer")

    def test_key_cannot_carry_more_than_the_limit_of_the_scheme(self, api):
        connect(**KEY)
        assert "@EJEMPLO1234" not in Payer(create(api, amount=20_000_000)).choose("/transfer")


class TestCheck:
    def test_bank_that_sends_nothing_has_no_address_for_callbacks(self):
        connect()
        account = ProviderAccount.objects.get(slug="own")
        assert checks.callback_urls(account, clock.now()) == {}
        found = checks.check_account(account=account, now=clock.now())
        assert [one.subject for one in found] == ["account_number", "statements"]

    def test_account_whose_first_statement_is_missing_says_so(self):
        connect()
        own_account()
        account = ProviderAccount.objects.get(slug="own")
        last = checks.check_account(account=account, now=clock.now())[-1]
        assert (last.finding, last.text) == (Finding.UNCHECKED, "Bancolombia, no statement yet")


class TestCredentials:
    def check(self, **changes):
        given = {**CREDENTIALS, **changes}
        credentials.check_credentials(RailAccount(slug="own", mode=Mode.LIVE, credentials=given))

    def test_account_without_a_key_is_enough(self):
        self.check()

    @pytest.mark.parametrize(
        ("field", "changes"),
        [
            ("bank_code", {"bank_code": "9999"}),
            ("account_number", {"account_number": "12-345"}),
            ("account_number", {"account_number": "000000"}),
            ("account_type", {"account_type": ""}),
            ("holder", {"holder": " "}),
            ("document", {"document": ""}),
            ("key_type", {"key_value": "@EJEMPLO1234"}),
            ("key_value", {"key_type": "PHONE", "key_value": "601 555"}),
            ("qr_text", {**KEY, "qr_text": "000201"}),
            ("qr_text", {**KEY, "qr_text": static()[:-1] + "x"}),
            ("qr_text", {**KEY, "key_value": "@OTRA12345", "qr_text": static()}),
            ("qr_text", {"qr_text": static()}),
            ("qr_text", {**KEY, "amount_in_qr": "on"}),
        ],
    )
    def test_wrong_value_is_named(self, field, changes):
        with pytest.raises(InvalidCredentials) as refused:
            self.check(**changes)
        assert refused.value.field == field


class TestReferences:
    def test_reference_survives_zeros_on_the_left_and_other_numbers(self):
        reference = new_reference()
        assert find_references(f"{reference:0>48}") == [reference]
        assert find_references(f"PAGO 3001234567 REF-{reference} 900123456") == [reference]

    def test_reference_is_read_in_groups_as_people_write_it(self):
        reference = new_reference()
        groups = f"{reference[:4]} {reference[4:8]} {reference[8:]}"
        assert find_references(f"PAGO LLAVE ANA {groups}") == [reference]
        assert find_references(f"PAGO {groups.replace(' ', '-')} 20261110") == [reference]
        assert find_references(f"20261110 {groups}") == [reference]

    def test_digit_that_was_typed_wrong_is_noticed(self):
        reference = new_reference()
        for place, digit in enumerate(reference):
            other = str((int(digit) + 1) % 10)
            assert find_references(f"{reference[:place]}{other}{reference[place + 1 :]}") == []

    def test_longer_number_is_no_reference(self):
        reference = new_reference()
        assert find_references(f"9{reference}") == find_references(f"{reference}9") == []
        card = f"1234 {reference[:4]} {reference[4:8]} {reference[8:]}"
        assert find_references(card) == []
