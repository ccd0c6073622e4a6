"""The Postman collection (format 2.1) of the examples, in folders by product.

Run the requests from top to bottom: later ones use variables that earlier responses set.
"""

from typing import Any

from payments.api import idempotency
from payments.api.reference.catalogue import served
from payments.api.reference.document import document
from payments.api.reference.parts import Example
from payments.api.reference.requests import Operation, fill, operations
from payments.core import jsontext

SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
HEADERS = (("X-Api-Key", "{{api_key}}"), ("X-Api-Secret", "{{api_secret}}"))
DEFAULT_BASE_URL = "http://localhost:8000/api/v1"
Json = dict[str, Any]


def collection(*, base_url: str = DEFAULT_BASE_URL) -> Json:
    """`base_url` ends with the version of the API."""
    about, found = document()["info"], operations(document())
    products = served(found)
    given = [
        name
        for product in products
        for each in product.examples
        for name in (*each.sets, *each.gives)
    ]
    return {
        "info": {
            "name": f"{about['title']} API",
            "description": about["description"],
            "version": about["version"],
            "schema": SCHEMA,
        },
        "variable": [
            _variable("base_url", base_url),
            _variable("api_key", ""),
            _variable("api_secret", ""),
            *(_variable(name, "") for name in given),
        ],
        "item": [
            {
                "name": product.tag,
                "description": product.text,
                "item": [_item(each, found[each.operation]) for each in product.examples],
            }
            for product in products
        ],
    }


def _item(example: Example, operation: Operation) -> Json:
    call = fill(example, operation, _variable_of)
    headers = [*HEADERS]
    request: Json = {
        "method": call.method,
        "description": operation.about.get("description", ""),
        "url": _url(call.path),
    }
    if call.idempotency_key:
        headers.append((idempotency.HEADER, call.idempotency_key))
    if call.body:
        headers.append(("Content-Type", "application/json"))
        request["body"] = {
            "mode": "raw",
            "raw": call.body,
            "options": {"raw": {"language": "json"}},
        }
    request["header"] = [{"key": key, "value": value} for key, value in headers]
    item: Json = {"name": operation.about["summary"], "request": request, "response": []}
    if events := _events(example):
        item["event"] = events
    return item


def _url(path: str) -> Json:
    address, _mark, query = path.partition("?")
    url: Json = {
        "raw": f"{{{{base_url}}}}{path}",
        "host": ["{{base_url}}"],
        "path": address.strip("/").split("/"),
    }
    if query:
        pairs = (pair.partition("=") for pair in query.split("&"))
        url["query"] = [{"key": key, "value": value} for key, _equals, value in pairs]
    return url


def _events(example: Example) -> list[Json]:
    before = [
        f"pm.collectionVariables.set({jsontext.dumps(name)}, "
        f"pm.variables.replaceIn({jsontext.dumps(value.replace('<now>', '{{$timestamp}}'))}));"
        for name, value in example.sets.items()
    ]
    after = [
        f"pm.collectionVariables.set({jsontext.dumps(name)}, pm.response.json(){_path(where)});"
        for name, where in example.gives.items()
    ]
    check = f"pm.test('{example.status}', () => pm.response.to.have.status({example.status}));"
    events = [_script("prerequest", *before)] if before else []
    return [*events, _script("test", check, *after)]


def _path(where: str) -> str:
    return "".join(f"[{step}]" if step.isdigit() else f".{step}" for step in where.split("."))


def _script(listen: str, *lines: str) -> Json:
    return {"listen": listen, "script": {"type": "text/javascript", "exec": list(lines)}}


def _variable(key: str, value: str) -> Json:
    return {"key": key, "value": value, "type": "string"}


def _variable_of(name: str) -> str:
    return f"{{{{{name}}}}}"
