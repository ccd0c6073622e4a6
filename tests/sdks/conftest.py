"""The SDKs against a running service: `make clients`, which sets CLIENTS=1."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from merchants.models import Merchant
from tests.contract.wire import Server, running_server
from tests.sdks.stub import Stub, running_stub
from tests.support.factories import issue_key

if TYPE_CHECKING:
    from pasarela import Pasarela

SDKS = Path(settings.BASE_DIR) / "sdks"
collect_ignore_glob = [] if os.environ.get("CLIENTS") else ["test_*.py"]
sys.path.insert(0, str(SDKS / "python" / "src"))


@pytest.fixture(scope="session")
def service(django_db_setup: None) -> Iterator[Server]:
    """The web server of `make run`."""
    with running_server() as running:
        yield running


@pytest.fixture(scope="session")
def document_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The OpenAPI document of the code as it is."""
    from payments.api.reference.document import document
    from payments.core import jsontext

    path = tmp_path_factory.mktemp("document") / "openapi.json"
    path.write_text(jsontext.pretty(document()))
    return path


@pytest.fixture
def address(service: Server) -> str:
    return f"http://127.0.0.1:{service.port}"


@pytest.fixture
def keys(merchant: Merchant, transactional_db: None) -> tuple[str, str]:
    """Of a merchant of its own, with nothing yet."""
    key, secret = issue_key(merchant, ("payout:create", "webhook:manage"))
    return key.public_key, secret


@pytest.fixture
def environment(keys: tuple[str, str], address: str) -> dict[str, str]:
    """What a program gets to find the service: the same names in every language."""
    return {
        **os.environ,
        "PASARELA_PUBLIC_KEY": keys[0],
        "PASARELA_SECRET_KEY": keys[1],
        "PASARELA_URL": address,
    }


@pytest.fixture
def client(keys: tuple[str, str], address: str) -> Iterator["Pasarela"]:
    from pasarela import Pasarela

    with Pasarela(*keys, base_url=address) as made:
        yield made


@pytest.fixture
def stub() -> Iterator[Stub]:
    with running_stub() as made:
        yield made


@pytest.fixture(scope="session", params=["typescript", "php"])
def command(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What starts a merchant's program in this language, on the package as people install it."""
    from tests.sdks.programs import command_of

    return command_of(request.param, tmp_path_factory.mktemp(request.param))
