"""One image, two web servers behind one address: each serves its part, and says so of the rest."""

from collections.abc import Iterator

import pytest

from tests.contract.wire import Answer, Server, request, running_server

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
TOKEN = "only-for-the-roles-of-tests-3f81b2"
CONSOLE = ("/admin/", "/admin/login/", "/admin/collect/order/", "/admin/unknown/", "/admin")
SERVICE = (
    "/api/v1/openapi.json",
    "/docs",
    "/docs/guides",
    "/docs/guides/errors",
    "/verify",
    "/pay/x",
)


@pytest.fixture(scope="module", params=["api", "console", "all"])
def role(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def server(role: str, django_db_setup: None) -> Iterator[Server]:
    with running_server(WEB_ROLE=role, METRICS_TOKEN=TOKEN) as running:
        yield running


def get(server: Server, path: str, *lines: str) -> Answer:
    (answer,) = server.send(request("GET", path, *lines))
    return answer


def is_absent(answer: Answer) -> bool:
    """A 404 in the API's form, which tells a person's page that is missing from a role's."""
    if answer.status != 404 or not answer.headers["content-type"].startswith("application/json"):
        return False
    return bool(answer.body["error"]["code"] == "NOT_FOUND")


def test_the_console_is_served_by_its_roles_only(role: str, server: Server) -> None:
    answers = {path: get(server, path) for path in CONSOLE}
    if role == "api":
        assert all(is_absent(answer) for answer in answers.values()), answers
    else:
        assert answers["/admin/login/"].status == 200
        assert b"password" in answers["/admin/login/"].content
        assert answers["/admin/collect/order/"].status == 302


def test_the_api_and_payers_pages_are_served_by_their_roles_only(role: str, server: Server) -> None:
    answers = {path: get(server, path) for path in SERVICE}
    orders = server.exchange(request("GET", "/api/v1/collect"))
    if role == "console":
        # Not by `send`, which compares answers with the document of the API.
        assert orders.startswith(b"HTTP/1.1 404 ")
        assert all(is_absent(answer) for answer in answers.values()), answers
    else:
        assert orders.startswith(b"HTTP/1.1 401 ")
        assert answers["/api/v1/openapi.json"].body["openapi"].startswith("3.1")
        for path in ("/docs", "/docs/guides", "/verify", "/"):
            assert get(server, path).status == 200, path
        assert b"<html" in answers["/pay/x"].content


def test_every_role_tells_of_its_health_and_its_requests(server: Server) -> None:
    assert get(server, "/healthz").status == 200
    assert get(server, "/readyz?only=database,redis,migrations").body["status"] == "ready"
    assert get(server, "/metrics").status == 404
    told = get(server, "/metrics", f"Authorization: Bearer {TOKEN}")
    assert told.status == 200
    assert b"pasarela_http_request" in told.content
