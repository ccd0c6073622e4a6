"""Every number that a POST takes, as the OpenAPI document lists them: none makes a 500.

The requests are the examples of the reference: an operation without one fails here.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from payments.api.reference import requests
from payments.api.reference.catalogue import EXAMPLES
from payments.api.reference.document import document
from payments.core import jsontext
from tests.contract.answers import assert_refused, check_each
from tests.support.fixtures import ApiClient
from tests.support.reference_examples import Reader

ZEROS = "0" * 16_384  # after the point PostgreSQL has room for one less
ABSURD = {
    "a tail of zeros": f"1000.{ZEROS}",
    "the longest tail of zeros": f"1000.{'0' * 60_000}",
    "forty-one digits": f"1000.{'0' * 37}",
    "a tail that ends in a digit": f"1000.{ZEROS}1",
    "next to nothing": f"0.{ZEROS}1",
    "1e400": "1e400",
    "-1e400": "-1e400",
    "1e-400": "1e-400",
    "1e-999999999": "1e-999999999",
    "21 digits": "9" * 21,
    "4,000 digits": "9" * 4000,
    "negative": "-1000",
}


def numbers() -> Iterator[tuple[str, str, bool]]:
    """(operationId, field, whether it is an amount with decimals)."""
    found = document()
    for operation, where in requests.operations(found).items():
        body = where.about.get("requestBody", {}).get("content", {}).get("application/json", {})
        schema = _resolved(found, body.get("schema", {}))
        for field, about in schema.get("properties", {}).items():
            if kinds := _types(found, about) & {"number", "integer"}:
                yield operation, field, "number" in kinds


def _resolved(found: Any, schema: Any) -> Any:
    if "$ref" in schema:
        return found["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def _types(found: Any, schema: Any) -> set[str]:
    schema = _resolved(found, schema)
    own = schema.get("type", [])
    types = {own} if isinstance(own, str) else set(own)
    for way in ("allOf", "anyOf", "oneOf"):
        for inner in schema.get(way, ()):
            types |= _types(found, inner)
    return types


NUMBERS = list(numbers())


class Sender(Reader):
    """Sends an example with one field spelled as given."""

    def prepare(self, operation: str) -> None:
        """Whatever the example needs."""
        example = EXAMPLES[operation]
        for needed in example.needs:
            self.play(needed)
        for name, value in example.sets.items():
            self.names[name] = value.replace("<now>", "1042")

    def send_spelled(self, operation: str, field: str, spelled: str, key: str) -> Any:
        example = EXAMPLES[operation]
        call = requests.fill(
            example, self.operations[operation], lambda name: str(self.names[name])
        )
        body = {**jsontext.loads(call.body.encode()), field: "@number@"}
        text = jsontext.dumps(body).replace('"@number@"', spelled)
        headers = {"Idempotency-Key": f"{operation}-{key}"} if example.idempotency_key else {}
        return self.api.call(call.method, call.path, text, headers=headers)


@pytest.fixture
def sender(api: ApiClient) -> Sender:
    return Sender(api)


def test_all_of_them_are_known() -> None:
    amounts = {(operation, field) for operation, field, is_amount in NUMBERS if is_amount}
    assert {operation for operation, _ in amounts} >= {
        "createCollection",
        "createRefund",
        "createPayout",
        "sandboxCreditBalance",
        "sandboxResolveCollection",
        "sandboxCreateDispute",
    }
    assert {operation for operation, _, is_amount in NUMBERS if not is_amount} >= {
        "createTopup",
        "createBillPayment",
    }


@pytest.mark.parametrize(("operation", "field", "is_amount"), NUMBERS)
def test_an_absurd_number_is_refused(
    sender: Sender, operation: str, field: str, is_amount: bool
) -> None:
    sender.prepare(operation)

    def check(name: str, spelled: str) -> None:
        answer = sender.send_spelled(operation, field, spelled, f"absurd-{len(spelled)}")
        assert_refused(answer, 400, "VALIDATION_ERROR", field)

    check_each(ABSURD.items(), check)


@pytest.mark.parametrize(
    ("operation", "field"), [row[:2] for row in NUMBERS if row[2] and row[1] == "amount"]
)
def test_zeros_at_the_end_are_allowed_within_reason(
    sender: Sender, operation: str, field: str
) -> None:
    sender.prepare(operation)
    answer = sender.send_spelled(operation, field, f"1000.{'0' * 36}", "zeros")
    assert answer.status_code == EXAMPLES[operation].status, answer.content
