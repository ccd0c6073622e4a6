"""A rail of the conformance suite, its fake server, and its adapters with a memory."""

import pytest
from django.utils.module_loading import import_string

from payments.providers import registry
from tests.providers.every_rail import PATHS, RAILS, SERVERS, TIMEOUT, adapters_of
from tests.providers.service import Keeper


@pytest.fixture
def fake(code, db, settings, monkeypatch, tmp_path):
    """The rail's fake server; the rail serves everything that it can."""
    settings.RAILS = PATHS
    settings.PROVIDER_TIMEOUT_SECONDS = TIMEOUT
    for product in RAILS[code].adapters:
        setattr(settings, adapters_of(product).setting, code)
    module = SERVERS.get(code, f"tests.rails.{code}")
    server = import_string(f"{module}.FakeServer")(monkeypatch, tmp_path)
    yield server
    server.close()


@pytest.fixture
def payin(fake, code):
    return Keeper(registry.PAYIN.get(code))


@pytest.fixture
def outgoing(fake, code, product):
    return Keeper(registry.outgoing(product).get(code))
