"""Amounts that are no money: always the JSON envelope, no side effect, never a 500.

Texts, lists, too many decimals, exponents beyond reason, and what is no JSON number at all.
"""

import pytest

from tests.contract.answers import assert_refused, check_each
from tests.contract.bad_requests import spelled
from tests.fixtures import ApiClient

pytestmark = pytest.mark.usefixtures("no_side_effect")
WRONG_AMOUNTS = {
    "text": '"1000"',
    "text with an underscore": '"1_000"',
    "full-width digits": '"１０００"',
    "true": "true",
    "null": "null",
    "a list": "[]",
    "a list with a number": "[5000]",
    "an object": "{}",
    "below the minimum": "999.99",
    "zero": "0",
    "minus zero": "-0",
    "negative": "-5000",
    "three decimals": "1000.005",
    "a long tail": "1000." + "0" * 40 + "1",
    "a tail that rounds away": "1000." + "9" * 60,
    "beyond the upper bound by a cent": "1000000000000.00",
    "the upper bound with a third decimal": "999999999999.991",
    "1e400": "1e400",
    "1e-400": "1e-400",
    "-1e400": "-1e400",
    "1e999999999": "1e999999999",
    "1e-999999999": "1e-999999999",
    "0e-999999999": "0e-999999999",
    "0e999999999": "0e999999999",
    "4,000 digits": "9" * 4000,
}
UNREADABLE_NUMBERS = {
    "NaN": "NaN",
    "Infinity": "Infinity",
    "-Infinity": "-Infinity",
    "digits with an underscore": "1_000",
    "full-width digits": "１０００",
    "a plus": "+5000",
    "a leading zero": "05000",
    "hexadecimal": "0x1000",
    "no digit after the point": "5000.",
    "5,000 digits": "9" * 5000,
    "an exponent beyond reason": "1e99999999999999999999",
}


class TestAmounts:
    def test_order_with_a_wrong_amount_is_refused(self, api: ApiClient) -> None:
        def check(name: str, amount: str) -> None:
            response = api.post("/collect", spelled(amount=amount))
            assert_refused(response, 400, "VALIDATION_ERROR", "amount")

        check_each(WRONG_AMOUNTS.items(), check)

    def test_play_money_with_a_wrong_amount_is_refused(self, api: ApiClient) -> None:
        def check(name: str, amount: str) -> None:
            if name == "below the minimum":
                amount = "0.001"  # there is no minimum here, but pesos have two decimals
            response = api.post("/sandbox/balance", f'{{"currency":"COPM","amount":{amount}}}')
            assert_refused(response, 400, "VALIDATION_ERROR", "amount")

        check_each(WRONG_AMOUNTS.items(), check)

    def test_sandbox_deposit_with_a_wrong_amount_is_refused(
        self, api: ApiClient, order: str
    ) -> None:
        def check(name: str, amount: str) -> None:
            if name in ("below the minimum", "null"):
                amount = "0.001"  # null means: what is missing
            body = f'{{"status":"COMPLETED","amount":{amount}}}'
            response = api.post(f"/sandbox/collect/{order}", body)
            assert_refused(response, 400, "VALIDATION_ERROR", "amount")

        check_each(WRONG_AMOUNTS.items(), check)


def test_what_is_no_json_number(api: ApiClient) -> None:
    def check(name: str, amount: str) -> None:
        assert_refused(api.post("/collect", spelled(amount=amount)), 400, "VALIDATION_ERROR")

    check_each(UNREADABLE_NUMBERS.items(), check)


@pytest.mark.parametrize(
    ("currency", "amount"), [("USDT", "1000.0000001"), ("BTC", "1000.000000001"), ("ETH", "999")]
)
def test_each_currency_has_its_decimals(api: ApiClient, currency: str, amount: str) -> None:
    body = spelled(currency=f'"{currency}"', amount=amount)
    assert_refused(api.post("/collect", body), 400, "VALIDATION_ERROR", "amount")
