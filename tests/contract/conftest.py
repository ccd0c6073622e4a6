"""Fixtures of the contract's tests: a real web server, and credentials it can see."""

from collections.abc import Iterator

import pytest

from tests.contract.wire import Server, running_server
from tests.factories import MerchantFactory, issue_key


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
