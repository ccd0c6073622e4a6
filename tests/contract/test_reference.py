"""The reference says what is so: every example is played against the service.

RECORD=1 writes what was answered into payments/api/reference/answers.json.
"""

import json
import os
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from payments.api.reference import answers
from payments.api.reference.catalogue import EXAMPLES, PRODUCTS
from payments.api.reference.document import document
from payments.api.reference.requests import operations
from payments.core import jsontext
from tests.contract.answers import check_each
from tests.contract.reference_scene import Reader, public, shape, shortened
from tests.fixtures import ApiClient
from tests.settlement.scene import MONDAY, Till, at
from tests.settlement.test_taxes import vat

RECORDING = bool(os.environ.get("RECORD"))


@pytest.fixture
def reader(api: ApiClient) -> Reader:
    """A merchant with a closed day, so that there is a settlement to read."""
    till = Till(api.merchant)
    vat()
    till.collect(at(MONDAY), fee="119")
    till.close(MONDAY)
    return Reader(api)


def test_each_example_is_answered_as_it_is_printed(reader: Reader) -> None:
    seen: dict[str, Any] = {}

    def check(operation: str) -> None:
        call, response = reader.play(operation)
        is_json = response.headers["Content-Type"] == "application/json"
        content = response.getvalue() if response.streaming else response.content
        answer = response.body if is_json else content.decode()
        seen[operation] = {
            "path": call.path,
            "body": jsontext.loads(call.body.encode()) if call.body else None,
            "status": response.status_code,
            "answer": shortened(answer) if not answer_is_a_page(response) else "",
        }
        if is_json:
            validate(operation, json.loads(content))
        if not RECORDING:
            assert shape(answers.recorded()[operation]) == shape(seen[operation])
            assert answers.recorded()[operation]["status"] == response.status_code

    check_each(EXAMPLES, check)
    if RECORDING:
        answers.FILE.write_text(public(jsontext.pretty(seen)) + "\n")


def answer_is_a_page(response: Any) -> bool:
    return response.headers["Content-Type"].startswith("text/html")


def validate(operation: str, answer: Any) -> None:
    """The answer is what the document promises."""
    found = operations(document())[operation]
    promised = found.about["responses"][str(EXAMPLES[operation].status)]
    schema = {
        **promised["content"]["application/json"]["schema"],
        "components": document()["components"],
    }
    plain = json.loads(jsontext.dumps(schema))
    Draft202012Validator(plain, format_checker=FormatChecker()).validate(answer)


def test_every_operation_has_an_example_under_its_product() -> None:
    found = {name: each.about["tags"][0] for name, each in operations(document()).items()}
    assert found == {
        example.operation: product.tag for product in PRODUCTS for example in product.examples
    }
    assert set(answers.recorded()) == set(EXAMPLES)


def test_the_document_carries_the_examples() -> None:
    about = operations(document())["createCollection"].about
    asked = about["requestBody"]["content"]["application/json"]["example"]
    answered = about["responses"]["201"]["content"]["application/json"]["example"]
    assert asked["reference"] == answered["data"]["reference"]
    assert answered["data"]["collectUrl"].startswith("http://localhost:8000/pay/")
