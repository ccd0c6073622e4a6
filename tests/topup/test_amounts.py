"""The amount of POST /topup: whole pesos, between the operator's limits and ours.

Packages are sold as they are, the fee is a row, and amount and fee must be there.
"""

from decimal import Decimal
from typing import Any

import pytest

from merchants.models import Merchant
from payments.topup.models import Operator, TopUp, TopUpTerms
from tests.support.fixtures import ApiClient
from tests.support.funds import balance
from tests.support.outgoing_payments import refusal
from tests.support.topups import buy


class TestAmount:
    @pytest.mark.parametrize(
        "amount",
        [
            *(None, 0, -1, -20000, "20000", "", True, False, [], [20000], {}),
            *(Decimal("20000.5"), Decimal("20000.01"), Decimal("20000.0"), Decimal("0.5")),
            *(10**12, 10**15, 10**100),
        ],
    )
    def test_amount_must_be_whole_pesos(
        self, api: ApiClient, merchant: Merchant, amount: Any
    ) -> None:
        response = buy(api, amountCop=amount)
        assert refusal(response) == (400, "VALIDATION_ERROR")
        assert response.body["error"]["details"]["field"] == "amountCop"
        assert not TopUp.objects.exists()
        assert balance(merchant) == (1_000_000, 0)

    @pytest.mark.parametrize("number", ["1e400", "1e4", "-1e400", "2E4", "9" * 4000])
    def test_other_spellings_of_a_number_are_refused(self, api: ApiClient, number: str) -> None:
        body = f'{{"phone": "3001234567", "operatorCode": "claro", "amountCop": {number}}}'
        response = api.post("/topup", body, headers={"Idempotency-Key": "k"})
        assert refusal(response) == (400, "VALIDATION_ERROR")
        assert not TopUp.objects.exists()

    def test_the_cap_is_the_last_that_passes(self, api: ApiClient) -> None:
        assert buy(api, amountCop=500_000).status_code == 201
        response = buy(api, amountCop=500_001)
        assert refusal(response) == (400, "AMOUNT_ABOVE_LIMIT")
        details = response.body["error"]["details"]
        assert details == {"field": "amountCop", "max": 500000}

    def test_the_minimum_is_the_first_that_passes(self, api: ApiClient) -> None:
        assert buy(api, amountCop=1000).status_code == 201
        response = buy(api, amountCop=999)
        assert refusal(response) == (400, "AMOUNT_BELOW_MINIMUM")
        assert response.body["error"]["details"] == {"field": "amountCop", "min": 1000}

    def test_the_operators_own_maximum(self, api: ApiClient) -> None:
        Operator.objects.filter(code="claro").update(max_amount=50_000)
        response = buy(api, amountCop=50_001)
        assert refusal(response) == (400, "AMOUNT_ABOVE_LIMIT")
        assert response.body["error"]["details"]["max"] == 50000
        assert buy(api, amountCop=50_000).status_code == 201

    def test_packages_are_sold_as_they_are(self, api: ApiClient) -> None:
        assert buy(api, operatorCode="flash", amountCop=30_000).status_code == 201
        response = buy(api, operatorCode="flash", amountCop=30_001)
        assert refusal(response) == (400, "VALIDATION_ERROR")
        details = response.body["error"]["details"]
        assert details["field"] == "amountCop"
        assert details["allowedAmounts"] == [5000, 10000, 20000, 30000, 50000]

    def test_the_fee_is_a_row(self, api: ApiClient, merchant: Merchant) -> None:
        TopUpTerms.objects.update(fee_flat=100, fee_rate=Decimal("0.01"))
        data = buy(api, amountCop=20_050).body["data"]
        assert (data["amountCop"], data["feeCop"], data["totalCop"]) == (20050, 301, 20351)
        assert data["ticket"]["amountCop"] == 20050
        assert balance(merchant) == (979_649, 0)

    def test_amount_and_fee_must_be_there(self, api: ApiClient, merchant: Merchant) -> None:
        TopUpTerms.objects.update(fee_flat=1, max_amount=2_000_000)
        response = buy(api, amountCop=1_000_000)
        assert refusal(response) == (400, "INSUFFICIENT_BALANCE")
        assert response.body["error"]["details"] == {"required": 1000001, "available": 1000000}
        assert buy(api, amountCop=999_999).status_code == 201
        assert balance(merchant) == (0, 0)
