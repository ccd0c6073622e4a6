"""Fixtures of the domain: who calls the API, and how."""

from collections.abc import Iterator
from socketserver import BaseServer
from typing import Any

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.template import Context
from django.template.base import Template
from django.test import Client, override_settings
from django.test.signals import template_rendered
from werkzeug.serving import BaseWSGIServer
from whitenoise.middleware import WhiteNoiseMiddleware

from config import celery  # noqa: F401  so that tasks which tests call are those of our app
from merchants.models import Merchant
from payments.api import request_log
from payments.core import clock, clock_skew, jsontext
from payments.simulator import store
from tests.support import real_clock
from tests.support.catalogues import Catalogues, made_once
from tests.support.factories import MerchantFactory, issue_key

API = "/api/v1"


class ApiClient(Client):
    """Django's test client with credentials, JSON bodies, and paths relative to {base_url}."""

    def __init__(self, merchant: Merchant | None = None, **headers: str) -> None:
        super().__init__(raise_request_exception=False)
        self.merchant = merchant
        self.headers = headers
        if merchant is not None:
            self.key, secret = issue_key(merchant, ("payout:create", "webhook:manage"))
            self.headers = {"X-Api-Key": self.key.public_key, "X-Api-Secret": secret, **headers}

    def call(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> HttpResponse:
        """One request; `body` is written as JSON unless it is bytes or a string already."""
        if body is not None and not isinstance(body, bytes | str):
            body = jsontext.dumps(body)
        given = {**self.headers, **(headers or {})}
        content_type = given.pop("Content-Type", "application/json")
        response = self.generic(
            method, API + path, body or b"", content_type=content_type, headers=given
        )
        if response.headers.get("Content-Type") == "application/json" and response.content:
            response.body = jsontext.loads(response.content)
        return response

    def post(self, path: str, body: Any = None, **headers: Any) -> HttpResponse:
        """POST with a JSON body."""
        return self.call("POST", path, body, headers.get("headers"))

    def get(self, path: str, **headers: Any) -> HttpResponse:
        """GET."""
        return self.call("GET", path, None, headers.get("headers"))


@pytest.fixture
def call_log(settings: Any) -> Iterator[None]:
    """The log of API calls: on, and written in the test's own transaction when it is flushed."""
    settings.API_LOG = True
    request_log.writer.reset()
    request_log.writer.threaded = False
    request_log.capture.anonymous_quota.second = 0
    yield
    request_log.writer.reset()


@pytest.fixture(scope="session")
def _catalogues(django_db_setup: None, django_db_blocker: Any) -> Catalogues:
    with django_db_blocker.unblock():
        return made_once()


@pytest.fixture
def catalogues(_catalogues: Catalogues, db: None) -> None:
    """What `load_catalogues` brings: exchange rates, payout methods and banks, operators,
    agreements.
    """
    _catalogues.bring(now=clock.now())


@pytest.fixture
def merchant(catalogues: None) -> Merchant:
    """Café Andino."""
    return MerchantFactory()


@pytest.fixture
def stranger(db: None) -> Merchant:
    """Another merchant, who must see nothing of the first."""
    return MerchantFactory(name="Otra Tienda", email="hola@otratienda.co")


@pytest.fixture
def api(merchant: Merchant) -> ApiClient:
    """Café Andino's backend."""
    return ApiClient(merchant)


@pytest.fixture
def stranger_api(stranger: Merchant) -> ApiClient:
    """Otra Tienda's backend."""
    return ApiClient(stranger)


@pytest.fixture
def anonymous(db: None) -> ApiClient:
    """A client without credentials."""
    return ApiClient()


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """The real hash takes a quarter of a second on purpose, and most tests log a person in."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(scope="session", autouse=True)
def _servers_end_when_told() -> Iterator[None]:
    """Those of a test's own look every half second whether they should end: most of the test."""
    with pytest.MonkeyPatch.context() as patch:
        for kind in (BaseServer, BaseWSGIServer):
            patch.setattr(kind.serve_forever, "__defaults__", (0.02,))
        yield


@pytest.fixture(scope="session", autouse=True)
def _rails_books_stay_open() -> Iterator[None]:
    """The close of SQLite's last connection writes its log back and removes it: half of each look
    into the simulated rails' books, which in a running service others have open, too.
    """
    with store.connect() as connection:
        connection.execute("SELECT count(*) FROM calls").fetchone()
        yield


@pytest.fixture(scope="session", autouse=True)
def _static_files_found_once() -> Iterator[None]:
    """A server looks for its 227 files once. Here each client is a server: 24 ms of 25 for it."""
    found: dict[str, dict[str, Any]] = {}
    find = WhiteNoiseMiddleware.add_files_from_finders

    def remember(middleware: WhiteNoiseMiddleware) -> None:
        if middleware.static_prefix not in found:
            find(middleware)
            found[middleware.static_prefix] = middleware.files
        middleware.files = dict(found[middleware.static_prefix])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", remember)
        yield


@pytest.fixture(scope="session", autouse=True)
def _only_whole_pages_are_recorded(django_test_environment: None) -> Iterator[None]:
    """Django's test client keeps a copy of the context of each template. A page of the console
    includes a hundred, and tests look at the page's own context: its first template has it.
    """

    def render(template: Template, context: Context) -> str:
        if context.template is template:
            template_rendered.send(sender=template, template=template, context=context)
        return template.nodelist.render(context)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "_render", render)
        yield


@pytest.fixture(scope="session", autouse=True)
def _time_is_moved_on_purpose() -> Iterator[None]:
    """A test that moves the service's time does not make this machine's clock a wrong one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock_skew, "wall", real_clock.read)
        yield


@pytest.fixture(autouse=True)
def _fresh_counters() -> None:
    """Rate limits count in Redis, which no rollback reaches."""
    cache.clear()
