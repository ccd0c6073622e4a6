"""Schemathesis asks each operation whatever the OpenAPI document allows, and what it does not.

The document's edges, and a few requests at random, the same in every run. `make fuzz` asks many
more with a seed that it prints; FUZZ_SEED=that seed asks the same again.
"""

import os
import random
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import FailureGroup
from schemathesis.pytest.lazy import get_all_tests

from payments.api.reference.requests import operations
from tests.support import openapi_conformance
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("FUZZ", 0))
SEED = int(os.environ.get("FUZZ_SEED", 0)) or (random.randrange(2**31) if EXAMPLES else 1)
# Checks of Schemathesis that are not made here, and why. Every other one is.
LEFT_OUT = {
    # A refusal for the balance, a cap, a catalogue, a missing idempotency key or a reference that
    # is taken is 400 by contract: that a request has the right form does not mean it is accepted.
    "positive_data_acceptance",
}
CONFIG: dict[str, Any] = {
    "seed": SEED,
    "generation": {
        "deterministic": not EXAMPLES,
        "database": "none",
        "max-examples": EXAMPLES or 3,
        # Unknown fields are ignored (docs/gaps.md), so they make no request wrong.
        "allow-extra-parameters": False,
        # The credentials are ours; `ignored_auth` takes them away and changes them by itself.
        "with-security-parameters": False,
    },
}


def load(**generation: Any) -> Any:
    """The document, asked inside this process through the same door that a web server uses."""
    load_all_checks()
    config = {**CONFIG, "generation": {**CONFIG["generation"], **generation}}
    loaded = schemathesis.openapi.from_dict(
        openapi_conformance.conformance.document.document,
        config=SchemathesisConfig.from_dict(config),
    )
    loaded.app = get_wsgi_application()
    return loaded


@pytest.fixture(scope="module")
def schema() -> Any:
    return load()


@pytest.fixture
def merchant_with_money(api: ApiClient, settings: Any) -> Iterator[ApiClient]:
    """Enabled for everything, never too fast; and the test's transaction outlives a request."""
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, "1000000/m")
    api.post("/sandbox/balance", {"currency": "COPM", "amount": 100_000_000})
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield api
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def checks() -> list[Any]:
    """All that Schemathesis knows, but for those left out."""
    return [CHECKS.get_one(name) for name in CHECKS.get_all_names() if name not in LEFT_OUT]


def operation_ids() -> list[str]:
    from payments.api.reference.document import document

    return sorted(operations(document()))


@pytest.mark.parametrize("operation", operation_ids())
def test_each_operation_answers_generated_requests_as_documented(
    operation: str, schema: Any, merchant_with_money: ApiClient
) -> None:
    """Alone; test_links.py goes from one to the other."""
    headers = merchant_with_money.headers
    answered: list[int] = []
    found: dict[tuple[str, int], str] = {}

    def ask(case: Any) -> None:
        response = case.call(headers=headers)
        answered.append(response.status_code)
        try:
            case.validate_response(
                response, checks=checks(), headers=headers, transport_kwargs={"headers": headers}
            )
        except FailureGroup as group:  # all of them at once, one example of each kind
            for failure in group.exceptions:
                found.setdefault(
                    (type(failure).__name__, response.status_code),
                    f"{failure}\n  {case.as_curl_command()}\n  {response.text[:500]}",
                )

    (made,) = get_all_tests(
        schema=schema.include(operation_id=operation),
        test_func=ask,
        settings=None,
        given_kwargs=None,
    )
    made.ok()[1]()
    if EXAMPLES:
        print(f"{operation}: {len(answered)} requests, seed {SEED}")
    assert not found, f"seed {SEED}\n" + "\n\n".join(found.values())
    assert len(answered) >= 10
