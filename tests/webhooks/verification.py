"""What a merchant's developer would write: both signatures, verified from their texts alone."""

import base64
import hashlib
import hmac


def verify_contract(headers: dict[str, str], body: bytes, secret: str, now_ms: int) -> bool:
    """A receiver written from the contract's text alone (contract, Signature 1 to 4)."""
    timestamp = headers["x-service-timestamp"]
    signed = timestamp.encode("ascii") + b"." + body
    expected = hmac.new(secret.encode("utf-8"), signed, hashlib.sha256).hexdigest()
    fresh = now_ms - int(timestamp) <= 300_000
    return fresh and hmac.compare_digest("sha256=" + expected, headers["x-service-signature"])


def verify_standard(headers: dict[str, str], body: bytes, secret: str, now_s: float) -> bool:
    """A receiver written from the Standard Webhooks specification alone."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(now_s - int(timestamp)) > 300:
        return False
    signed = b".".join([message_id.encode(), timestamp.encode(), body])
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    versions = [part.split(",", 1) for part in headers["webhook-signature"].split(" ")]
    return any(v == "v1" and hmac.compare_digest(s, expected) for v, s in versions)
