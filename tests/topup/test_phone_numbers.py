"""The phone of POST /topup: every spelling of a Colombian mobile, and what is none.

Numbers move between operators: no prefix is a reason to refuse.
"""

from typing import Any

import pytest

from merchants.models import Merchant
from payments.topup.models import TopUp
from tests.support.fixtures import ApiClient
from tests.support.funds import balance
from tests.support.outgoing_payments import refusal
from tests.support.topups import buy


class TestPhone:
    @pytest.mark.parametrize(
        "phone",
        [
            "3001234567",
            "+573001234567",
            "+57 300 123 4567",
            "+57-300-123-45-67",
            "300-123 4567",
            "  3001234567  ",
            "573001234567",
            "300.123.4567",
            "(300) 1234567",
        ],
    )
    def test_every_spelling_is_kept_as_ten_digits(self, api: ApiClient, phone: str) -> None:
        assert buy(api, phone=phone).body["data"]["phone"] == "3001234567"

    @pytest.mark.parametrize("phone", ["3991234567", "3000000000", "3777777777", "3221234567"])
    def test_a_prefix_is_no_reason_to_refuse(self, api: ApiClient, phone: str) -> None:
        for operator in ("claro", "tigo"):
            assert buy(api, phone=phone, operatorCode=operator).body["data"]["phone"] == phone

    @pytest.mark.parametrize(
        "phone",
        [
            None,
            "",
            "   ",
            "300123456",
            "30012345678",
            "+5730012345678",
            "+583001234567",
            "++573001234567",
            "+57",
            "6012345678",
            "6011234567",
            "2001234567",
            "0300123456",
            "30012345AB",
            "llamame",
            "3001234567;3001234568",
            "٣٠٠١٢٣٤٥٦٧",
            "３００１２３４５６７",
            "3001234567\n",
            "3001234567\u0000",
            "3" * 41,
            3001234567,
            True,
            ["3001234567"],
            {"number": "3001234567"},
        ],
    )
    def test_phone_that_is_no_mobile_is_refused(
        self, api: ApiClient, merchant: Merchant, phone: Any
    ) -> None:
        response = buy(api, phone=phone)
        assert refusal(response) == (400, "VALIDATION_ERROR")
        assert response.body["error"]["details"]["field"] == "phone"
        assert not TopUp.objects.exists()
        assert balance(merchant) == (1_000_000, 0)
