"""The headers of an attempt, with the contract's signature and that of Standard Webhooks.

The body never changes. Each attempt has a new timestamp and signatures, because receivers refuse
messages older than five minutes (contract, Signature; docs/gaps.md, Webhooks).
"""

import base64
import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

# Receivers find the valid one of several by the specification of Standard Webhooks.
SEPARATOR = " "
SECRET_PREFIX = "whsec_"
CONTENT_TYPE = "application/json"


@dataclass(frozen=True, slots=True)
class SecretPair:
    """The secrets of an endpoint during a rotation. The contract's header has room for one."""

    current: str
    earlier: str
    earlier_signs_contract: bool

    @property
    def of_contract(self) -> str:
        return self.earlier if self.earlier_signs_contract else self.current


def headers(
    *, event_id: str, attempt: int, body: bytes, secret: str | SecretPair, at: datetime
) -> dict[str, str]:
    """`attempt` is the number of the attempt, from 1; `at` is when it is sent."""
    if isinstance(secret, SecretPair):
        of_contract, valid = secret.of_contract, [secret.current, secret.earlier]
    else:
        of_contract, valid = secret, [secret]
    prefix = settings.WEBHOOK_HEADER_PREFIX
    milliseconds, seconds = str(_milliseconds(at)), str(_milliseconds(at) // 1000)
    result = {
        "Content-Type": CONTENT_TYPE,
        "User-Agent": "Pasarela-Webhooks/1",
        "Accept-Encoding": "identity",
        f"{prefix}Timestamp": milliseconds,
        f"{prefix}Signature": contract_signature(of_contract, milliseconds, body),
        f"{prefix}Event-Id": event_id,
        f"{prefix}Attempt": str(attempt),
    }
    standard = [standard_signature(each, event_id, seconds, body) for each in valid]
    if found := SEPARATOR.join(filter(None, standard)):
        result["webhook-id"] = event_id
        result["webhook-timestamp"] = seconds
        result["webhook-signature"] = found
    return result


def contract_signature(secret: str, timestamp: str, body: bytes) -> str:
    """`sha256=` + hex HMAC-SHA256 of `timestamp.body`, keyed with the whole secret as UTF-8."""
    signed = timestamp.encode() + b"." + body
    return "sha256=" + hmac.digest(secret.encode(), signed, hashlib.sha256).hex()


def standard_signature(secret: str, message_id: str, timestamp: str, body: bytes) -> str | None:
    """`v1,` + base64 HMAC-SHA256 of `id.timestamp.body`, keyed with the secret's decoded bytes.

    None when the secret is not `whsec_` + base64; the contract's signature takes any secret.
    """
    if not secret.startswith(SECRET_PREFIX):
        return None
    try:
        key = base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
    except ValueError:
        return None
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def _milliseconds(at: datetime) -> int:
    # timestamp() * 1000 would be a float.
    return int(at.timestamp()) * 1000 + at.microsecond // 1000
