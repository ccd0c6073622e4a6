"""Every response of the API in the suite matches the OpenAPI document, or its test fails.

A plugin of pytest: it checks what Django's test client receives; tests of a real server call
`check`. The document lists every status, header and field, and the API returns no others, because
clients are generated from it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import jsonschema_rs
import pytest
from django.http import HttpResponseBase
from django.test import Client

API = "/api/v1"
JSON = "application/json"
# Of each response that is a refusal: the error codes that it may have.
CODES = "x-error-codes"
# Refusals of what is no operation: a path or a method that does not exist, or a request that was
# not read because the length of its body is no number, or is too large.
BEFORE_ANY_OPERATION = {400, 404, 405, 413}
# The document itself; it is none of its own operations.
UNDOCUMENTED = {"/openapi.json"}
# Headers of the contract; what servers and browsers add is not promised.
OUR_HEADERS = ("x-ratelimit-", "x-total-count", "idempotent-replayed", "retry-after")
Json = dict[str, Any]


class UndocumentedResponse(AssertionError):
    """A response differs from the document."""


class Document:
    """The document, compiled to compare responses with it."""

    def __init__(self, document: Json) -> None:
        self.document = document
        self._components = strict(document["components"])
        self._bodies: dict[tuple[str, str, str], jsonschema_rs.Validator] = {}
        # A path without parameters goes before one whose parameter would take it.
        paths = sorted(document["paths"], key=lambda path: ("{" in path, path))
        self._paths = [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path) for path in paths]

    @cached_property
    def _failure(self) -> jsonschema_rs.Validator:
        return self._compiled({"$ref": "#/components/schemas/ErrorResponse"})

    def problems(
        self, method: str, path: str, status: int, headers: Mapping[str, str], content: bytes | None
    ) -> Iterator[str]:
        """What is wrong with one answer, whose header names are in lower case.

        `content` is None where it may not be read (a stream).
        """
        template = next((name for form, name in self._paths if form.fullmatch(path)), "")
        asked = "get" if method == "HEAD" else method.lower()
        operation = self.document["paths"].get(template, {}).get(asked)
        promised = operation and operation["responses"].get(str(status))
        if promised:
            yield from self._headers(promised.get("headers", {}), headers)
            if content is not None and method != "HEAD":
                key = (asked, template, str(status))
                yield from self._body(key, promised, headers, content)
        elif operation:
            yield f"{status} is not among its answers: {', '.join(operation['responses'])}"
        elif status not in BEFORE_ANY_OPERATION:
            yield f"{status} of what is no operation of the document"
        elif content and method != "HEAD":
            yield from _violations(self._failure, json.loads(content))

    def _headers(self, promised: Json, given: Mapping[str, str]) -> Iterator[str]:
        for name, about in promised.items():
            value: Any = given.get(name.lower())
            if value is None:
                if about.get("required"):
                    yield f"the header {name} is missing"
                continue
            if about["schema"]["type"] == "integer" and re.fullmatch("[0-9]+", value):
                value = int(value)
            if not jsonschema_rs.is_valid(about["schema"], value):
                yield f"the header {name} is {value!r}, not {about['schema']}"
        for name in given.keys() - {each.lower() for each in promised}:
            if name.startswith(OUR_HEADERS):
                yield f"the header {name} is not in the document"

    def _body(
        self, key: tuple[str, str, str], promised: Json, headers: Mapping[str, str], content: bytes
    ) -> Iterator[str]:
        contents = promised["content"]
        media_type = headers.get("content-type", "").partition(";")[0]
        if media_type not in contents:
            yield f"Content-Type {media_type!r} is not among {', '.join(contents)}"
        elif media_type == JSON:
            if key not in self._bodies:
                self._bodies[key] = self._compiled(contents[JSON]["schema"])
            answer = json.loads(content)
            yield from _violations(self._bodies[key], answer)
            # The document cannot say so: generated clients would refuse every answer.
            if (said := answer.get("success")) is not (int(key[2]) < 400):
                yield f"success: {said} with the status {key[2]}"
            yield from _unlisted_code(promised.get(CODES, ()), answer)

    def _compiled(self, schema: Json) -> jsonschema_rs.Validator:
        return jsonschema_rs.validator_for(
            {**strict(schema), "components": self._components}, validate_formats=True
        )


def strict(schema: Any) -> Any:
    """The same schema, in which an object has no other fields than those that are listed.

    Clients have to accept new fields; we must not return one that is not documented.
    """
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: strict(each) for name, each in schema.items() if name != "example"}
    if isinstance(made.get("properties"), dict) and made.get("type") == "object":
        made.setdefault("additionalProperties", False)
    return made


def _unlisted_code(listed: Sequence[str], answer: Any) -> Iterator[str]:
    """Programs decide by the code. The schema leaves it open, because new ones may come."""
    error = answer.get("error")
    if isinstance(error, dict) and error.get("code") not in listed:
        yield f"{error.get('code')} is not among the codes of this status: {', '.join(listed)}"


def _violations(validator: jsonschema_rs.Validator, answer: Any) -> Iterator[str]:
    if not validator.is_valid(answer):
        for error in validator.iter_errors(answer):
            where = ".".join(str(step) for step in error.instance_path) or "the body"
            yield f"{where}: {error.message[:300]}"


class _Conformance:
    """Compiled at the first response: it takes a second, and many tests send no request."""

    def __init__(self) -> None:
        self.broken: list[str] = []

    @cached_property
    def document(self) -> Document:
        from payments.api.reference.document import document
        from payments.core import jsontext

        return Document(json.loads(jsontext.dumps(document())))


conformance = _Conformance()


def check(
    method: str, path: str, status: int, headers: Mapping[str, str], content: bytes | None
) -> None:
    """Raises UndocumentedResponse, with every difference, unless the answer is as documented."""
    if not path.startswith(f"{API}/") or path.removeprefix(API) in UNDOCUMENTED:
        return
    given = {name.lower(): value for name, value in headers.items()}
    document = conformance.document
    found = list(document.problems(method, path.removeprefix(API), status, given, content))
    if found:
        lines = [f"{method} {path} answered {status}, and openapi.json says otherwise:"]
        message = "\n  ".join([*lines, *found, f"the answer: {(content or b'')[:500]!r}"])
        conformance.broken.append(message)
        raise UndocumentedResponse(message)


def _asking_checked(ask: Any) -> Any:
    def request(self: Client, **request: Any) -> HttpResponseBase:
        response: HttpResponseBase = ask(self, **request)
        content = None if response.streaming else response.content
        asked = response.wsgi_request  # as Django took it: a path is decoded
        check(asked.method, asked.path, response.status_code, response.headers, content)
        return response

    return request


@pytest.fixture(scope="session", autouse=True)
def _every_answer_is_checked() -> Iterator[None]:
    patch = pytest.MonkeyPatch()
    patch.setattr(Client, "request", _asking_checked(Client.request))
    yield
    patch.undo()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """A thread of a test, or a loop that counts failures, may have swallowed what was raised."""
    conformance.broken.clear()
    yield
    if conformance.broken:
        pytest.fail("\n".join(conformance.broken), pytrace=False)
