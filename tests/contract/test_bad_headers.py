"""Headers that could do harm: always the JSON envelope, no side effect, never a 500.

Idempotency keys, request ids, method overrides, Accept, languages and hosts.
"""

import pytest

from tests.contract.answers import assert_refused, check_each
from tests.contract.bad_requests import ABSENT
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.usefixtures("no_side_effect")


def test_an_idempotency_key_of_other_characters(api: ApiClient) -> None:
    def check(key: str) -> None:
        response = api.post("/collect", order_body(), headers={"Idempotency-Key": key})
        assert_refused(response, 400, "VALIDATION_ERROR", "idempotencyKey")

    check_each(["  ", "x" * 256, "x" * 8192, "☕", "a\tb", "a\x00b", "ключ", " a"], check)


def test_an_idempotency_key_that_is_blank(api: ApiClient) -> None:
    response = api.post("/collect", order_body(), headers={"Idempotency-Key": ""})
    assert_refused(response, 400, "VALIDATION_ERROR", "idempotencyKey")


def test_a_request_id_that_could_do_harm_is_replaced(api: ApiClient) -> None:
    def check(given: str) -> None:
        response = api.get(ABSENT, headers={"X-Request-Id": given})
        assert_refused(response, 404, "ORDER_NOT_FOUND")
        assert response.headers["X-Request-Id"] != given

    harmful = ["", "a b", "a\nb", "x" * 65, "x" * 8192, "ñ", "<script>", "a;b", "../x", "%0d%0a"]
    check_each(harmful, check)


def test_a_harmless_request_id_is_kept(api: ApiClient) -> None:
    for given in ("a", "A-9", "x" * 64):
        assert api.get(ABSENT, headers={"X-Request-Id": given}).headers["X-Request-Id"] == given


def test_no_header_changes_the_method(api: ApiClient) -> None:
    def check(header: str) -> None:
        response = api.get("/collect", headers={header: "POST"})
        assert (response.status_code, response.body["data"]) == (200, [])
        for override in ("GET", "DELETE"):
            response = api.post("/collect", {}, headers={header: override})
            assert_refused(response, 400, "VALIDATION_ERROR", "reference")

    check_each(["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"], check)


def test_whatever_is_accepted_the_answer_is_json(api: ApiClient, anonymous: ApiClient) -> None:
    def check(accept: str) -> None:
        headers = {"Accept": accept}
        assert api.get("/collect", headers=headers).headers["Content-Type"] == "application/json"
        assert_refused(api.get(ABSENT, headers=headers), 404, "ORDER_NOT_FOUND")
        assert_refused(anonymous.get("/nothing", headers=headers), 404, "NOT_FOUND")

    accepts = ["text/html", "application/xml", "image/*;q=0.8", "*/*", "", "nonsense", "x" * 5000]
    check_each(accepts, check)
    schema = anonymous.get("/openapi.json", headers={"Accept": "text/html"})
    assert (schema.status_code, schema.headers["Content-Type"]) == (200, "application/json")


def test_the_language_of_the_caller_changes_no_message(api: ApiClient) -> None:
    answers = {
        api.post("/collect", {}, headers={"Accept-Language": language}).content
        for language in ("es", "en", "fr", "")
    }
    assert len(answers) == 1
    assert b"This field is required." in answers.pop()


def test_the_payment_link_never_follows_the_host(api: ApiClient, order: str) -> None:
    def check(host: str) -> None:
        headers = {"Host": host, "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "ftp"}
        response = api.get(f"/collect/{order}", headers=headers)
        assert response.body["data"]["collectUrl"].startswith("http://testserver/pay/")
        assert b"evil" not in response.content
        assert_refused(api.get(ABSENT, headers=headers), 404, "ORDER_NOT_FOUND")

    check_each(["evil.example", "evil.example:99999", "a b", "'\"<", ""], check)
