"""/topup/operators and the operator of a top-up: the catalogue as the merchant sees it.

What is switched off or not reached by the rail vanishes, and cannot be bought.
"""

from typing import Any

import pytest
from django.test import Client

from merchants.models import Merchant
from payments.core import clock
from payments.topup.models import Operator, TopUp, TopUpTerms
from payments.topup.services import catalogue
from tests.support.fixtures import ApiClient
from tests.support.outgoing_payments import refusal
from tests.support.topups import buy


class TestOperators:
    def test_operators_are_listed_by_name_with_their_limits(self, api: ApiClient) -> None:
        rows = api.get("/topup/operators").body["data"]

        assert [row["code"] for row in rows] == sorted(
            (row["code"] for row in rows), key=lambda code: Operator.objects.get(pk=code).name
        )
        assert {row["code"] for row in rows} == {
            *("claro", "movistar", "tigo", "wom", "virgin", "etb", "movil-exito", "flash", "uff")
        }
        by_code = {row["code"]: row for row in rows}
        assert by_code["claro"] == {
            "code": "claro",
            "name": "Claro",
            "logo": "http://testserver/static/operators/claro.svg",
            "minAmount": 1000,
            "maxAmount": 500000,
            "allowedAmounts": None,
        }
        assert by_code["flash"]["allowedAmounts"] == [5000, 10000, 20000, 30000, 50000]

    def test_each_logo_is_served_to_anybody(self, api: ApiClient) -> None:
        for row in api.get("/topup/operators").body["data"]:
            response = Client().get(row["logo"].removeprefix("http://testserver"))
            assert response.status_code == 200, row
            assert response.headers["Content-Type"] == "image/svg+xml"
            assert b"<svg" in b"".join(response)

    def test_reading_needs_no_enablement(self, api: ApiClient) -> None:
        Merchant.objects.update(topup_enabled=False)
        assert api.get("/topup/operators").status_code == 200
        assert api.get("/topup").body["data"] == []

    @pytest.mark.parametrize("changes", [{"is_enabled": False}, {"codes": {"another": "1"}}])
    def test_what_cannot_be_bought_vanishes(self, api: ApiClient, changes: Any) -> None:
        Operator.objects.filter(code="claro").update(**changes)

        codes = [row["code"] for row in api.get("/topup/operators").body["data"]]
        assert len(codes) == 8
        assert "claro" not in codes
        response = buy(api)
        assert refusal(response) == (400, "VALIDATION_ERROR")
        assert response.body["error"]["details"]["field"] == "operatorCode"

    def test_all_of_them_switched_off(self, api: ApiClient) -> None:
        TopUpTerms.objects.update(is_enabled=False)
        assert api.get("/topup/operators").body["data"] == []
        response = buy(api)
        assert refusal(response) == (503, "SERVICE_UNAVAILABLE")
        assert int(response.headers["Retry-After"]) > 0

    def test_limits_are_the_narrower_of_the_two(self, api: ApiClient) -> None:
        TopUpTerms.objects.update(min_amount=2000, max_amount=40000)
        Operator.objects.filter(code="claro").update(max_amount=100000)
        Operator.objects.filter(code="tigo").update(max_amount=30000, min_amount=5000)

        rows = {row["code"]: row for row in api.get("/topup/operators").body["data"]}
        assert (rows["claro"]["minAmount"], rows["claro"]["maxAmount"]) == (2000, 40000)
        assert (rows["tigo"]["minAmount"], rows["tigo"]["maxAmount"]) == (5000, 30000)
        assert rows["flash"]["allowedAmounts"] == [5000, 10000, 20000, 30000]

    def test_without_any_minimum_it_is_null(self, api: ApiClient) -> None:
        Operator.objects.filter(code="claro").update(min_amount=None)
        row = api.get("/topup/operators").body["data"][0]
        assert (row["code"], row["minAmount"]) == ("claro", None)
        assert buy(api, amountCop=1).status_code == 201

    def test_loading_again_changes_nothing(self) -> None:
        Operator.objects.filter(code="claro").update(name="Claro Colombia", is_enabled=False)
        TopUpTerms.objects.update(max_amount=7)
        assert catalogue.load_catalogue(now=clock.now()) == 0
        claro = Operator.objects.get(code="claro")
        assert (claro.name, claro.is_enabled) == ("Claro Colombia", False)
        assert TopUpTerms.objects.get().max_amount == 7

    def test_a_real_rail_brings_its_own_codes(self, settings: Any) -> None:
        Operator.objects.all().delete()
        settings.TOPUP_PROVIDER = "another"
        assert catalogue.load_catalogue(now=clock.now()) == 0
        assert not Operator.objects.exists()

    def test_a_logo_that_is_gone_leaves_a_neutral_one(
        self, api: ApiClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def manifest(path: str) -> str:
            if "claro" in path:
                raise ValueError("Missing staticfiles manifest entry")
            return f"/static/{path}"

        monkeypatch.setattr(catalogue, "static", manifest)
        rows = api.get("/topup/operators").body["data"]
        assert rows[0]["logo"] == "http://testserver/static/operators/other.svg"


class TestOperatorCode:
    @pytest.mark.parametrize(
        "code",
        [None, "", "  ", "unknown", "CLARO", "Claro", "clar\u0000o", "x" * 41, 5, True, ["claro"]],
    )
    def test_a_code_that_is_not_in_the_catalogue(self, api: ApiClient, code: Any) -> None:
        response = buy(api, operatorCode=code)
        assert refusal(response) == (400, "VALIDATION_ERROR")
        assert response.body["error"]["details"]["field"] == "operatorCode"
        assert not TopUp.objects.exists()

    def test_every_wrong_field_is_named(self, api: ApiClient) -> None:
        response = api.post("/topup", {}, headers={"Idempotency-Key": "k"})
        details = response.body["error"]["details"]
        assert details["field"] == "phone"
        assert list(details["fields"]) == ["phone", "operatorCode", "amountCop"]
