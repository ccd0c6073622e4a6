"""Fixtures of the contract's tests: a real web server, credentials it can see, and the check that a
refused request leaves nothing behind.
"""

import json
from collections.abc import Iterator

import pytest

from payments.collect.models import Charge, Order
from payments.ledger.models import Entry
from tests.contract.openapi_document import Document
from tests.contract.wire import Server, running_server
from tests.support.factories import MerchantFactory, issue_key, order_body
from tests.support.fixtures import ApiClient
from webhooks.models import Event


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> Iterator[Server]:
    """One web server per module; it shares the test's database and sees what is committed."""
    with running_server() as running:
        yield running


@pytest.fixture
def credentials(transactional_db: None) -> list[str]:
    """The two header lines of a merchant that the server can see."""
    key, secret = issue_key(MerchantFactory())
    return [f"X-Api-Key: {key.public_key}", f"X-Api-Secret: {secret}"]


@pytest.fixture
def no_side_effect(request: pytest.FixtureRequest, db: None) -> Iterator[None]:
    """A refused request leaves nothing behind, and the order of the test as it was."""
    yield
    known = request.node.funcargs.get("order")
    assert list(Order.objects.values_list("pk", "status")) == (
        [(known, "PENDING")] if known else []
    )
    assert not any(model.objects.exists() for model in (Charge, Event, Entry))


@pytest.fixture
def order(api: ApiClient) -> str:
    """An order of the merchant."""
    return str(api.post("/collect", order_body()).body["data"]["id"])


@pytest.fixture
def document(anonymous: ApiClient) -> Document:
    """The OpenAPI document, as a client without credentials gets it."""
    response = anonymous.get("/openapi.json")
    assert (response.status_code, response.headers["Content-Type"]) == (200, "application/json")
    return json.loads(response.content)
