"""What every refusal must look like (contract, Errors), for all the tests of this folder."""

import re
from collections.abc import Callable, Iterable
from typing import Any

REQUEST_ID = re.compile(r"[A-Za-z0-9-]{1,64}")
# Nothing of these may ever be told: they are how we are made, not what the client did.
INTERNALS = re.compile(r"Traceback|psycopg|django|rest_framework|\.py\b|Decimal\(|NoneType|SELECT ")


def assert_refused(response: Any, status: int, code: str, field: str | None = None) -> None:
    """`response` is the envelope with this status, code and, where one is at fault, field."""
    text = response.content.decode()
    assert response.status_code == status, text
    assert response.headers["Content-Type"] == "application/json"
    assert REQUEST_ID.fullmatch(response.headers["X-Request-Id"])
    assert response.body.keys() == {"success", "error"}
    assert response.body["success"] is False
    error = response.body["error"]
    assert error.keys() <= {"code", "message", "details"}
    assert error["code"] == code, text
    assert isinstance(error["message"], str)
    assert error["message"].strip()
    assert not INTERNALS.search(text), text
    if field is not None:
        assert error["details"]["field"] == field, text
        assert field in error["details"]["fields"]


def check_each(cases: Iterable[Any], check: Callable[..., None]) -> None:
    """Runs `check` for every row of a table and names all the rows that failed."""
    problems = []
    for case in cases:
        try:
            check(*case) if isinstance(case, tuple) else check(case)
        except AssertionError as error:
            problems.append(f"{str(case)[:80]!r}: {str(error)[:400]}")
    assert not problems, "\n".join(problems)
