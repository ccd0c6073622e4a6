"""HTTP requests as bytes. A number always has sixteen digits, so that lengths are fixed."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.client import Request

# Stands for the number of the request, in paths, headers and bodies.
NUMBER = "{number}"
DIGITS = 16


def request(
    method: str, path: str, headers: Mapping[str, str], body: Mapping[str, Any] | None = None
) -> Request:
    """The bytes of a request whose number replaces NUMBER wherever it stands."""
    text = "" if body is None else json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    content = text.replace(NUMBER, "0" * DIGITS).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    parts = ("\r\n".join(lines) + "\r\n\r\n" + text).encode().split(NUMBER.encode())

    def numbered(number: int) -> bytes:
        return (b"%0*d" % (DIGITS, number)).join(parts)

    return numbered


def in_turn(requests: Sequence[Request]) -> Request:
    """One after the other, round and round."""
    count = len(requests)
    return lambda number: requests[number % count](number)


def order_body() -> dict[str, Any]:
    """POST /collect with what every merchant sends."""
    return {
        "reference": f"PEDIDO-{NUMBER}",
        "amount": 50000,
        "description": "Café de Nariño, 2 libras",
        "customerName": "María Fernanda Ñáñez",
        "customerEmail": "maria@example.com",
        "customerDocType": "CC",
        "customerDocNumber": "1.020.304.050",
    }


def payout_body() -> dict[str, Any]:
    """POST /payout to a bank account."""
    return {
        "amount": 10000,
        "recipientName": "Juan Pérez",
        "recipientDocType": "CC",
        "recipientDocNumber": "79.123.456",
        "network": "BANK",
        "bankCanonicalId": "bancolombia",
        "accountType": "SAVINGS",
        "accountNumber": "12345678901",
        "description": "Nómina",
    }


def credentials(keys: Mapping[str, str]) -> dict[str, str]:
    """The two headers of the contract."""
    return {"X-Api-Key": keys["apiKey"], "X-Api-Secret": keys["apiSecret"]}
