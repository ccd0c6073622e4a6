"""Headers of an attempt: the contract's signature and the Standard Webhooks trio."""

import base64
import time
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.webhooks.verification import verify_contract, verify_standard
from webhooks import signing

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
BODY = '{"event":"payment.completed","data":{"reference":"ñ ☕"}}'.encode()
AT = datetime(2026, 3, 1, 15, 4, 5, 123987, tzinfo=UTC)


def headers(**changes: Any) -> dict[str, str]:
    values = {"event_id": "evt_1", "attempt": 2, "body": BODY, "secret": SECRET, "at": AT}
    return signing.headers(**values | changes)


def lowered(headers: dict[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def test_both_signatures_verify_against_the_secret() -> None:
    made = lowered(headers())
    now_ms = 1772377445_123
    assert made["x-service-timestamp"] == str(now_ms)
    assert verify_contract(made, BODY, SECRET, now_ms)
    assert verify_standard(made, BODY, SECRET, now_ms / 1000)
    assert made["x-service-event-id"] == made["webhook-id"] == "evt_1"
    assert made["x-service-attempt"] == "2"
    assert made["webhook-timestamp"] == "1772377445"
    assert made["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("body", "secret"),
    [(BODY + b" ", SECRET), (BODY, SECRET.replace("A", "B", 1)), (b"", SECRET)],
)
def test_anything_else_does_not_verify(body: bytes, secret: str) -> None:
    made = lowered(headers())
    assert not verify_contract(made, body, secret, 1772377445_123)
    assert not verify_standard(made, body, secret, 1772377445)


def test_the_signature_is_hex_in_lower_case() -> None:
    scheme, _, digest = headers()["X-Service-Signature"].partition("=")
    assert scheme == "sha256"
    assert len(digest) == 64
    assert digest == digest.lower()


def test_a_known_answer_of_the_contracts_signature() -> None:
    # printf '1700000000000.{}' | openssl dgst -sha256 -hmac whsec_test
    assert signing.contract_signature("whsec_test", "1700000000000", b"{}") == (
        "sha256=d0bbc63610879612da5c5c1769618618559688ebd6e40052dd0d4a6a8a6c741f"
    )


def test_a_known_answer_of_standard_webhooks() -> None:
    # The example that the published libraries test themselves with.
    made = signing.standard_signature(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "1614265330",
        b'{"test": 2432232314}',
    )
    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_every_attempt_has_a_timestamp_and_signature_of_its_own() -> None:
    first, second = headers(attempt=1), headers(attempt=2, at=AT.replace(minute=9))
    for name in ("X-Service-Timestamp", "X-Service-Signature", "webhook-signature"):
        assert first[name] != second[name]
    assert first["X-Service-Event-Id"] == second["X-Service-Event-Id"]


def test_the_prefix_is_a_setting(settings: Any) -> None:
    settings.WEBHOOK_HEADER_PREFIX = "X-Pasarela-"
    assert {"X-Pasarela-Signature", "X-Pasarela-Timestamp"} <= set(headers())
    assert "X-Service-Signature" not in headers()


@pytest.mark.parametrize("secret", ["plain", "whsec_not base64!", "whsec_ñ"])
def test_a_secret_of_another_form_still_signs_as_the_contract_says(secret: str) -> None:
    made = lowered(headers(secret=secret))
    assert verify_contract(made, BODY, secret, 1772377445_123)
    assert "webhook-signature" not in made


def test_signing_takes_less_than_its_limit() -> None:
    started = time.perf_counter()
    for _ in range(1000):
        headers()
    assert time.perf_counter() - started < 0.5
