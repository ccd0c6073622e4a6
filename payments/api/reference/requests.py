"""Makes a request of an example, for a shell or for Postman."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from payments.api import idempotency
from payments.api.reference.parts import Example
from payments.core import jsontext

# In place of `<now>`: an example that is sent again is the same request, with the same key.
NOW = "1042"
_NAME = re.compile(r'"<#(\w+)>"|<(\w+)>')
_IN_PATH = re.compile(r"{(\w+)}")


@dataclass(frozen=True, slots=True)
class Call:
    """`path` is relative to {base_url} and contains the query. `body` is JSON text or empty."""

    method: str
    path: str
    body: str
    idempotency_key: str


def fill(example: Example, operation: "Operation", name: Callable[[str], str]) -> Call:
    """Replaces each `<NAME>` by `name(NAME)`."""

    def put(text: str) -> str:
        return _NAME.sub(lambda found: name(found[1] or found[2]), text)

    path = _IN_PATH.sub(lambda found: put(example.path[found[1]]), operation.path)
    query = f"?{urlencode(example.query)}" if example.query else ""
    body = "" if example.body is None else put(jsontext.pretty(example.body))
    return Call(operation.method, path + query, body, put(example.idempotency_key))


@dataclass(frozen=True, slots=True)
class Keys:
    """The API key in the examples. An empty value is shown as `$API_KEY` or `$API_SECRET`."""

    key: str = ""
    secret: str = ""


def curl(
    example: Example, operation: "Operation", base_url: str, keys: Keys = Keys(), now: str = NOW
) -> str:
    """A shell command, with variables for values of earlier responses."""
    call = fill(example, operation, _in_quotes)
    plain = fill(example, operation, lambda name: f"${name}")
    url = f"{base_url}{plain.path}"
    parts = [f'curl "{url}"' if "$" in url or "&" in url else f"curl {url}"]
    # curl makes a GET, or with a body a POST.
    if operation.method != ("POST" if call.body else "GET"):
        parts[0] = parts[0].replace("curl", f"curl -X {operation.method}", 1)
    parts += [
        f'-H "X-Api-Key: {keys.key or "$API_KEY"}"',
        f'-H "X-Api-Secret: {keys.secret or "$API_SECRET"}"',
    ]
    if call.idempotency_key:
        parts.append(f'-H "{idempotency.HEADER}: {plain.idempotency_key}"')
    if call.body:
        parts += ['-H "Content-Type: application/json"', f"-d '{call.body}'"]
    sets = [f"{name}={value.replace('<now>', now)}\n" for name, value in example.sets.items()]
    return "".join(sets) + " \\\n  ".join(parts)


def _in_quotes(name: str) -> str:
    """Closes the quotes of the body around a variable, so that the shell expands it."""
    return f"'${name}'"


@dataclass(frozen=True, slots=True)
class Operation:
    method: str
    path: str
    about: Mapping[str, Any]


def operations(document: Mapping[str, Any]) -> dict[str, Operation]:
    """By operationId."""
    return {
        about["operationId"]: Operation(method.upper(), path, about)
        for path, methods in document["paths"].items()
        for method, about in methods.items()
    }
