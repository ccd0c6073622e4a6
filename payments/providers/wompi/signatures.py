"""Wompi's two signatures, both plain SHA-256 over joined text that ends with a secret."""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from typing import Any

from payments.providers.ports import InvalidCallback

# Anybody can send an event, and names may repeat: without limits a body of 64 KB that names one
# long value thousands of times becomes hundreds of MB of text before its signature is checked.
MOST_NAMES = 16
LONGEST_NAME = 100
LONGEST_VALUE = 256


def integrity(*, reference: str, cents: int, expiration: str, secret: str) -> str:
    """The signature of a new transaction in COP.

    `expiration` as it is sent; empty if it is not sent.
    """
    return _sha256(f"{reference}{cents}COP{expiration}{secret}")


def check_event(event: Mapping[str, Any], secrets: Iterable[str]) -> None:
    """Accepts the signature of any of the secrets.

    The rail names the signed values: paths below `data`, in its order. Raises InvalidCallback.
    """
    try:
        checksum = event["signature"]["checksum"]
        if not isinstance(checksum, str):
            raise InvalidCallback("nothing is signed")
        # Bytes, since compare_digest raises TypeError for text that is not ASCII. Half a surrogate
        # pair is no text at all, and JSON can have one.
        given, signed = checksum.lower().encode(), _signed(event).encode()
    except (KeyError, TypeError, AttributeError, UnicodeEncodeError) as error:
        raise InvalidCallback("not an event") from error
    digests = (hashlib.sha256(signed + one.encode()).hexdigest() for one in secrets)
    if not any(hmac.compare_digest(given, digest.encode()) for digest in digests):
        raise InvalidCallback("the checksum differs")


def _signed(event: Mapping[str, Any]) -> str:
    names = event["signature"]["properties"]
    if not isinstance(names, list) or not 0 < len(names) <= MOST_NAMES:
        raise InvalidCallback("nothing is signed, or too much")
    if not all(isinstance(name, str) and len(name) <= LONGEST_NAME for name in names):
        raise InvalidCallback("a name is no path")
    values = [_at(event["data"], name) for name in names]
    return "".join(_text(value) for value in (*values, event["timestamp"]))


def _at(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = value[name]
    return value


def _text(value: object) -> str:
    """The text of a value as in the JSON. Null becomes empty, which is not documented."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        raise InvalidCallback("a signed value is not plain")
    text = "" if value is None else str(value)
    if len(text) > LONGEST_VALUE:
        raise InvalidCallback("a signed value is too long")
    return text


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
