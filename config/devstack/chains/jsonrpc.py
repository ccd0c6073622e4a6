"""Asks a node of the local chains."""

import json
import urllib.error
import urllib.request
from base64 import b64encode
from typing import Any
from urllib.parse import urlsplit, urlunsplit


class ChainError(Exception):
    """The node refused what it was asked."""


def ask(url: str, method: str, *params: object) -> Any:
    """User and password may be in the URL. Raises OSError without a node, and ChainError."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    parts = urlsplit(url)
    address = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    headers = {"Content-Type": "application/json"}
    if parts.password:
        login = b64encode(f"{parts.username}:{parts.password}".encode()).decode()
        headers["Authorization"] = f"Basic {login}"
    request = urllib.request.Request(address, body.encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            answer = json.load(response)
    except urllib.error.HTTPError as error:
        raise ChainError(error.read().decode(errors="replace")) from None
    if answer.get("error"):
        raise ChainError(answer["error"])
    return answer["result"]
