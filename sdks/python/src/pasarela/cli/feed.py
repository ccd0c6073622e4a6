"""Events one after the other, from a place that is kept in a file."""

import argparse
import hashlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .._client import Pasarela
from .._paging import LARGEST
from ..errors import APIError, ConnectionFailed, ServerError


def follow(client: Pasarela, given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Each event, once it is there. The place moves on when the caller asks for the next one.

    Begins where it ended the last time; the first time with what happens from now on.
    """
    file = Path(given.place) if given.place else _place_of(client)
    kinds = {kind.strip() for kind in given.events.split(",") if kind.strip()}
    last = _beginning(client, given, file)
    while True:
        page = _read(client, last)
        for event in page:
            if not kinds or event["event"] in kinds:
                yield event
            last = event["id"]
            _keep(file, last)
        if len(page) < LARGEST:
            if given.once:
                return
            time.sleep(given.every)


def _beginning(client: Pasarela, given: argparse.Namespace, file: Path) -> str | None:
    if given.from_start or given.after:
        return None if given.from_start else str(given.after)
    if file.is_file() and (kept := file.read_text().strip()):
        return kept
    last = None
    for event in client.events.all():
        last = event["id"]
    if last:
        _keep(file, last)
    return last


def _read(client: Pasarela, last: str | None) -> list[dict[str, Any]]:
    """Nothing, if the service cannot be reached at present."""
    try:
        return [dict(event) for event in client.events.list(after=last)]
    except (ConnectionFailed, ServerError) as error:
        print(f"{error}; trying again", file=sys.stderr)
    except APIError as error:
        if error.status != 429:
            raise
    return []


def _place_of(client: Pasarela) -> Path:
    """One for each account and installation."""
    home = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    transport = client.transport
    whose = f"{transport.base_url} {transport.headers['X-Api-Key']}"
    return home / "pasarela" / f"{hashlib.sha256(whose.encode()).hexdigest()[:16]}.place"


def _keep(file: Path, last: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(file.name + ".new")
    new.write_text(last)
    new.replace(file)
