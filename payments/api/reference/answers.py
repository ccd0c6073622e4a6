"""What the service answered to the examples when they were recorded."""

from functools import cache
from pathlib import Path
from typing import Any

from payments.core import jsontext

# Where addresses in the answers begin.
RECORDED_AT = "http://localhost:8000"
FILE = Path(__file__).with_name("answers.json")


@cache
def recorded() -> dict[str, dict[str, Any]]:
    """By operationId: path, body, status, type and answer; lists are cut to two elements."""
    answers: dict[str, dict[str, Any]] = jsontext.loads(FILE.read_bytes())
    return answers
