"""Each operation of the API has a method in each SDK, and each method a place on its page."""

import inspect
import json
import re
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.sdks.conftest import SDKS
from tests.sdks.programs import stubbed
from tests.sdks.stub import JSON, Reply, Stub

# operationId -> why no SDK has a method for it.
EXCEPTIONS: dict[str, str] = {}
NOTHING = Reply(200, dict(JSON), b'{"success": true, "data": []}')
VALUES: dict[object, object] = {
    int: 1,
    bytes | None: b"a",
    date: date(2026, 3, 1),
    datetime: datetime.fromisoformat("2026-03-01T00:00:00-05:00"),
}


@pytest.fixture
def operations(document_file: Path) -> dict[str, str]:
    """operationId -> first line of a request of it; every id is `a`."""
    return {
        operation["operationId"]: f"{method.upper()} /api/v1{re.sub('{.+?}', 'a', path)}"
        for path, item in json.loads(document_file.read_text())["paths"].items()
        for method, operation in item.items()
    }


@pytest.fixture
def service(stub: Stub) -> Stub:
    stub.replies = [NOTHING]
    return stub


def test_typescript_and_php_have_a_method_for_each_operation(
    command: list[str], service: Stub, operations: dict[str, str]
) -> None:
    methods = stubbed(command, service).run("everything")
    assert missing(operations, service) == EXCEPTIONS.keys()
    language = "php" if command[0] == "php" else "typescript"
    assert told(language) == {name: set(each) for name, each in methods.items()}


def test_python_has_a_method_for_each_operation(service: Stub, operations: dict[str, str]) -> None:
    from pasarela import Pasarela

    with Pasarela("pk_1", "sk_1", base_url=service.address) as client:
        resources = {
            name: resource
            for name, resource in vars(client).items()
            if not name.startswith("_") and name != "transport"
        }
        methods = {
            name: {each for each in dir(resource) if not each.startswith("_")}
            for name, resource in resources.items()
        }
        for name, resource in resources.items():
            for method in methods[name]:
                call(getattr(resource, method))
    assert missing(operations, service) == EXCEPTIONS.keys()
    assert told("python") == methods


def call(method: Any) -> None:
    """With as little as it takes; an iterator is not begun."""
    wanted = [
        each
        for each in inspect.signature(method).parameters.values()
        if each.default is each.empty and each.kind is not each.VAR_KEYWORD
    ]
    method(*[VALUES.get(each.annotation, "a") for each in wanted])


def missing(operations: dict[str, str], service: Stub) -> set[str]:
    asked = {each["line"].partition("?")[0] for each in service.seen}
    return {name for name, line in operations.items() if line not in asked}


def told(language: str) -> dict[str, set[str]]:
    """Resource -> methods, as the table of the page names them."""
    page = (SDKS / language / "README.md").read_text()
    table = page.partition("| Resource | Methods |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", table, re.MULTILINE)
    return {name: set(re.findall(r"`(\w+)(?=[`(])", text)) for name, text in rows}
