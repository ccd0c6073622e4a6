"""The responses of the service to the examples, as they were recorded."""

from functools import cache
from pathlib import Path
from typing import Any

from payments.core import jsontext

# The base of addresses in the responses.
RECORDED_AT = "http://localhost:8000"
FILE = Path(__file__).with_name("recordings.json")


@cache
def recorded() -> dict[str, dict[str, Any]]:
    """By operationId: path, body, status, type and answer. Lists are cut to two elements."""
    recordings: dict[str, dict[str, Any]] = jsontext.loads(FILE.read_bytes())
    return recordings
