"""What the API says of top-ups is what it does (openapi.json)."""

import json
from typing import Any

import pytest
from jsonschema import ValidationError as DoesNotFit

from merchants.models import Merchant
from tests.contract.openapi_document import (
    Document,
    operations,
    schema_of,
    validate,
)
from tests.contract.wire import Server, request
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.topups import CLEAN, PENDING, REFUSED, buy


@pytest.fixture(autouse=True)
def _ready(merchant: Merchant) -> None:
    fund(merchant, 1_000_000)


def test_what_a_topup_needs(document: Document) -> None:
    schema = document["components"]["schemas"]["TopupCreateRequest"]
    assert set(schema["required"]) == {"phone", "operatorCode", "amountCop"}
    assert set(schema["properties"]) == {*schema["required"], "idempotencyKey"}
    assert schema["properties"]["amountCop"]["type"] == "integer"
    assert schema["properties"]["amountCop"]["minimum"] == 1
    statuses = document["components"]["schemas"]["TopupStatus"]["enum"]
    assert statuses == ["processing", "completed", "failed", "refunded"]
    parameters = operations(document)[("post", "/topup")]["parameters"]
    assert [(each["name"], each["in"]) for each in parameters] == [("Idempotency-Key", "header")]


@pytest.mark.parametrize("phone", [CLEAN, REFUSED, PENDING])
def test_answers_of_topups_fit_the_document(api: ApiClient, document: Document, phone: str) -> None:
    created = json.loads(buy(api, phone=phone).content)
    schema = schema_of(document, "post", "/topup", "201")
    validate(created, schema)
    for path, key in ((f"/{created['data']['id']}", "/{id}"), ("", "")):
        answer = json.loads(api.get(f"/topup{path}").content)
        validate(answer, schema_of(document, "get", f"/topup{key}", "200"))
    broken: dict[str, Any]
    for broken in ({"amountCop": "20000"}, {"status": "COMPLETED"}, {"ticket": "none"}):
        with pytest.raises(DoesNotFit):
            validate({**created, "data": {**created["data"], **broken}}, schema)


def test_answer_of_the_operators_fits_the_document(api: ApiClient, document: Document) -> None:
    answer = json.loads(api.get("/topup/operators").content)
    schema = schema_of(document, "get", "/topup/operators", "200")
    validate(answer, schema)
    assert len(answer["data"]) == 9
    broken = {**answer, "data": [{**answer["data"][0], "logo": 5}]}
    with pytest.raises(DoesNotFit):
        validate(broken, schema)


@pytest.mark.slow
def test_a_logo_comes_from_the_web_server_itself(server: Server, api: ApiClient) -> None:
    """Without credentials, and under the address that the operators were answered with."""
    logos = [row["logo"] for row in api.get("/topup/operators").body["data"]]
    for logo in logos:
        (answer,) = server.send(request("GET", logo.removeprefix("http://testserver")))
        assert (answer.status, answer.headers["content-type"]) == (200, "image/svg+xml")
        assert answer.content.startswith(b"<svg")
