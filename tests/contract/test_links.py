"""From what was made to what can be done with it: the document's links, followed by Schemathesis.

`make fuzz` walks further, with a seed that it prints.
"""

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck, Phase

from payments.api.links import CREATED
from payments.api.reference.document import document
from payments.api.reference.requests import operations
from tests.contract.test_schemathesis import (
    EXAMPLES,
    SEED,
    checks,
    load,
    merchant_with_money,
)
from tests.support.factories import MerchantFactory, order_body, payout_body
from tests.support.fixtures import ApiClient

__all__ = ["merchant_with_money"]
WALKS = EXAMPLES or 30
STEPS = 12


@pytest.mark.parametrize("name", CREATED)
def test_a_link_names_what_is_there(name: str) -> None:
    known = operations(document())
    answer = known[name].about["responses"]["201"]
    (content,) = answer["content"].values()
    schemas = document()["components"]["schemas"]
    envelope = schemas[content["schema"]["$ref"].rpartition("/")[2]]
    reference = envelope["properties"]["data"]["$ref"].rpartition("/")[2]
    parameter, field = CREATED[name]
    assert field in schemas[reference]["properties"]
    assert answer["links"], name
    for other, link in answer["links"].items():
        # The first parameter of a path is its `id`, as in the contract, whosever it is.
        taken = parameter if f"{{{parameter}}}" in known[other].path else "id"
        assert link["parameters"][taken] == f"$response.body#/data/{field}"
        assert f"{{{taken}}}" in known[other].path
        values = set(link["parameters"].values()) - {f"$response.body#/data/{field}"}
        assert values <= {"$request.path.id"}


def test_paths_are_written_as_in_the_contract() -> None:
    paths = document()["paths"]
    assert {"/collect/{id}", "/collect/{id}/methods", "/collect/{id}/pay"} <= paths.keys()
    assert {"/payout/{id}", "/topup/{id}", "/collect/{id}/refunds/{refund_id}"} <= paths.keys()
    assert [path for path in paths if path.count("{") == 1 and "{id}" not in path] == []
    for path, methods in paths.items():
        for operation in methods.values():
            named = [p["name"] for p in operation.get("parameters", ()) if p["in"] == "path"]
            assert sorted(named) == sorted(re.findall(r"{(\w+)}", path))


@pytest.mark.slow
def test_walks_along_the_links(merchant_with_money: ApiClient) -> None:
    answered: Counter[tuple[str, int]] = Counter()

    # Requests that are right: a refusal leads nowhere, and test_schemathesis.py sends the others.
    class Walk(load(mode="positive").as_state_machine()):
        def setup(self) -> None:
            # A merchant of its own: the same steps must have the same answers in each walk.
            self.headers = ApiClient(MerchantFactory()).headers

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {"headers": self.headers}

        def validate_response(self, response: Any, case: Any, **kwargs: Any) -> None:
            answered[case.operation.definition.raw["operationId"], response.status_code] += 1
            case.validate_response(
                response,
                checks=checks(),
                headers=self.headers,
                transport_kwargs={"headers": self.headers},
            )

    hypothesis.seed(SEED)(Walk).run(
        settings=hypothesis.settings(
            max_examples=WALKS,
            stateful_step_count=STEPS,
            phases=[Phase.generate],
            database=None,
            suppress_health_check=list(HealthCheck),
        )
    )
    print(f"seed {SEED}: {answered.total()} requests, {dict(answered)}")
    assert answered.total() >= WALKS
    assert not [name for name, status in answered if status >= 500]


@pytest.mark.parametrize(
    ("name", "body"), [("createCollection", order_body), ("createPayout", payout_body)]
)
def test_links_lead_to_what_was_made(
    name: str, body: Callable[[], dict[str, Any]], merchant_with_money: ApiClient
) -> None:
    known = operations(document())
    _, field = CREATED[name]
    made = merchant_with_money.post(known[name].path, body(), headers={"Idempotency-Key": "once"})
    assert made.status_code == 201
    for other in known[name].about["responses"]["201"]["links"]:
        path = known[other].path.format(id=made.body["data"][field])
        answer = merchant_with_money.call(known[other].method, path, {})
        assert answer.status_code != 404, other
