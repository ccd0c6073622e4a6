"""Credentials: contract, Authentication; docs/gaps.md, 401."""

from typing import Any

import pytest
import time_machine

from merchants import services
from merchants.models import Merchant
from payments.core import clock
from tests.support.factories import issue_key, order_body
from tests.support.fixtures import ApiClient

ROUTES = [
    ("POST", "/collect"),
    ("GET", "/collect"),
    ("GET", "/collect/stats"),
    ("GET", "/collect/col_00000000000000000000000000"),
    ("POST", "/sandbox/balance"),
    ("POST", "/sandbox/collect/col_00000000000000000000000000"),
]


def refused(api: ApiClient, method: str, path: str, headers: dict[str, str]) -> str:
    response = api.call(method, path, order_body(), headers)
    assert response.status_code == 401, response.content
    assert response.body["success"] is False
    return response.body["error"]["code"]


@pytest.mark.parametrize(("method", "path"), ROUTES)
class TestEveryRoute:
    def test_request_without_headers_is_refused_for_missing_credentials(
        self, anonymous: ApiClient, method: str, path: str
    ) -> None:
        assert refused(anonymous, method, path, {}) == "MISSING_CREDENTIALS"

    @pytest.mark.parametrize("blank", ["", "  "])
    def test_blank_header_counts_as_missing(
        self, api: ApiClient, method: str, path: str, blank: str
    ) -> None:
        assert refused(api, method, path, {"X-Api-Key": blank}) == "MISSING_CREDENTIALS"
        assert refused(api, method, path, {"X-Api-Secret": blank}) == "MISSING_CREDENTIALS"

    @pytest.mark.parametrize("key", ["pk_unknown", "ñandú", "x" * 8000, "a,b"])
    def test_unknown_key_is_refused(self, api: ApiClient, method: str, path: str, key: str) -> None:
        expected = "INVALID_API_KEY" if (method, path) == ROUTES[0] else "INVALID_CREDENTIALS"
        assert refused(api, method, path, {"X-Api-Key": key}) == expected

    @pytest.mark.parametrize("secret", ["wrong", "sécret", "x" * 8000])
    def test_wrong_secret_is_refused(
        self, api: ApiClient, method: str, path: str, secret: str
    ) -> None:
        assert refused(api, method, path, {"X-Api-Secret": secret}) == "INVALID_CREDENTIALS"

    def test_secret_of_another_merchant_is_refused(
        self, api: ApiClient, stranger_api: ApiClient, method: str, path: str
    ) -> None:
        headers = {"X-Api-Secret": stranger_api.headers["X-Api-Secret"]}
        assert refused(api, method, path, headers) == "INVALID_CREDENTIALS"

    def test_revoked_key_is_refused(self, api: ApiClient, method: str, path: str) -> None:
        services.revoke_api_key(key=api.key, now=clock.now(), actor="tests")
        expected = "INVALID_API_KEY" if (method, path) == ROUTES[0] else "INVALID_CREDENTIALS"
        assert refused(api, method, path, {}) == expected

    def test_inactive_merchant_is_told_so_only_with_the_right_secret(
        self, api: ApiClient, method: str, path: str
    ) -> None:
        Merchant.objects.update(is_active=False)
        assert refused(api, method, path, {}) == "MERCHANT_NOT_ACTIVE"
        # Only a client with the secret learns that the account is not active.
        assert refused(api, method, path, {"X-Api-Secret": "x"}) == "INVALID_CREDENTIALS"


def test_a_merchant_holds_several_pairs(api: ApiClient, merchant: Merchant) -> None:
    key, secret = issue_key(merchant)
    second = {"X-Api-Key": key.public_key, "X-Api-Secret": secret}
    services.revoke_api_key(key=api.key, now=clock.now(), actor="tests")

    assert api.get("/collect").status_code == 401
    assert api.get("/collect", headers=second).status_code == 200


def test_key_cannot_be_revoked_twice(api: ApiClient) -> None:
    services.revoke_api_key(key=api.key, now=clock.now(), actor="tests")
    with pytest.raises(services.KeyAlreadyRevoked):
        services.revoke_api_key(key=api.key, now=clock.now(), actor="tests")


def test_the_secret_is_stored_as_a_hash(api: ApiClient) -> None:
    api.key.refresh_from_db()
    assert len(api.key.secret_hash) == 32
    assert api.headers["X-Api-Secret"].encode() not in bytes(api.key.secret_hash)


def test_credentials_come_before_validation(anonymous: ApiClient) -> None:
    assert anonymous.post("/collect", "not json").status_code == 401


def test_an_unknown_route_comes_before_credentials(anonymous: ApiClient) -> None:
    response = anonymous.get("/nothing")
    assert (response.status_code, response.body["error"]["code"]) == (404, "NOT_FOUND")


def test_an_unknown_key_costs_the_same_queries_as_a_wrong_secret(
    api: ApiClient,
    django_assert_num_queries,
) -> None:
    order = api.post("/collect", order_body()).body["data"]["id"]
    for path in ("/collect", f"/collect/{order}"):
        for headers in ({"X-Api-Key": "pk_unknown"}, {"X-Api-Secret": "wrong"}):
            with django_assert_num_queries(1):
                assert api.get(path, headers=headers).status_code == 401


@pytest.mark.parametrize("header", ["X-Api-Key", "X-Api-Secret"])
@pytest.mark.parametrize(("method", "path"), ROUTES[:2])
def test_guessing_is_slowed_down_but_the_right_secret_passes(
    api: ApiClient, method: str, path: str, header: str
) -> None:
    guesses = [{header: f"guess-{number}"} for number in range(40)]
    with time_machine.travel(clock.now(), tick=False):  # within one window
        statuses = [api.call(method, path, order_body(), guess).status_code for guess in guesses]
        assert statuses == [401] * 30 + [429] * 10
        assert api.get("/collect").status_code == 200


def test_guesses_behind_a_proxy_count_for_the_address_that_the_proxy_saw(
    api: ApiClient, settings: Any
) -> None:
    """What stands before it in X-Forwarded-For was written by the caller."""
    settings.TRUSTED_PROXIES = 1

    def guess(number: int, address: str) -> int:
        forwarded = f"198.51.100.{number}, {address}"
        headers = {"X-Api-Secret": "guess", "X-Forwarded-For": forwarded}
        return api.get("/collect", headers=headers).status_code

    with time_machine.travel(clock.now(), tick=False):  # within one window
        assert [guess(n, "203.0.113.7") for n in range(32)] == [401] * 30 + [429] * 2
    assert guess(1, "203.0.113.8") == 401
