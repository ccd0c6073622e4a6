"""The recorded responses of the service to the examples."""

from functools import cache
from pathlib import Path
from typing import TypedDict

from payments.core import jsontext

# The base URL in the responses.
RECORDED_AT = "http://localhost:8000"
FILE = Path(__file__).with_name("recordings.json")


class Recording(TypedDict):
    path: str
    body: object
    status: int
    type: str
    answer: object


@cache
def recorded() -> dict[str, Recording]:
    """Path, body, status, type and answer by operationId. Lists are cut to two elements."""
    recordings: dict[str, Recording] = jsontext.loads(FILE.read_bytes())
    return recordings
