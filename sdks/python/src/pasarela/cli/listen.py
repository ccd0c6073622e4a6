"""Events of the account, sent to a receiver on this machine, signed as the service signs them."""

import argparse
import base64
import os
import sys
from typing import Any

import httpx

from .. import _json, webhooks
from .._client import Pasarela
from . import feed


def run(client: Pasarela, given: argparse.Namespace) -> int:
    secret = given.secret
    if not secret:
        secret = "whsec_" + base64.b64encode(os.urandom(24)).decode()
        print(f"Give your receiver this secret: {secret}", file=sys.stderr, flush=True)
    with httpx.Client(timeout=30) as receiver:
        for event in feed.follow(client, given):
            came = _forward(receiver, event, given, secret)
            _show(event, came, given.json)
    return 0


def _forward(
    receiver: httpx.Client, event: dict[str, Any], given: argparse.Namespace, secret: str
) -> int | str:
    """The receiver's status, or why there was none."""
    message = {name: event[name] for name in ("event", "data", "timestamp")}
    body = _json.dumps(message).encode()
    headers = webhooks.sign(body, event_id=event["id"], secret=secret, prefix=given.prefix)
    try:
        return receiver.post(given.forward, content=body, headers=headers).status_code
    except httpx.HTTPError as error:
        return str(error) or type(error).__name__


def _show(event: dict[str, Any], came: int | str, as_json: bool) -> None:
    status = came if isinstance(came, int) else None
    if as_json:
        line = {"id": event["id"], "event": event["event"], "status": status}
        print(_json.dumps(line if status else {**line, "error": came}), flush=True)
    else:
        print(event["timestamp"], event["event"], event["id"], "->", came, flush=True)
