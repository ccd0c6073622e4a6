"""The OpenAPI document holds nothing that breaks the clients that generators make of it.

`make clients` generates some and runs them; here is what is known to break others.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.fixtures import ApiClient

Json = dict[str, Any]
# The first words of the names of operations.
VERBS = {
    "get": {"get", "list", "download"},
    "post": {
        "create",
        "cancel",
        "pay",
        "check",
        "decode",
        "set",
        "sandbox",
        "rotate",
        "test",
        "resend",
    },
    "patch": {"update"},
    "delete": {"delete"},
}


@pytest.fixture
def document(anonymous: ApiClient) -> Json:
    made: Json = json.loads(anonymous.get("/openapi.json").content)
    return made


def operations(document: Json, section: str) -> dict[str, Json]:
    return {
        f"{method} {name}": operation
        for name, item in document[section].items()
        for method, operation in item.items()
    }


def schemas(value: Any, where: str = "") -> Iterator[tuple[str, Json]]:
    """Every object of the document but its examples, with its place."""
    if isinstance(value, dict):
        yield where, value
        for name, item in value.items():
            if name != "example":
                yield from schemas(item, f"{where}/{name}")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from schemas(item, f"{where}/{number}")


def reached(document: Json, value: Any) -> Iterator[tuple[str, Json]]:
    """As `schemas`, also behind each `$ref`."""
    waiting, known = [("", value)], set()
    while waiting:
        for where, found in schemas(waiting.pop()[1]):
            yield where, found
            target = found.get("$ref")
            if isinstance(target, str) and target not in known:
                known.add(target)
                name = target.removeprefix("#/components/schemas/")
                waiting.append((target, document["components"]["schemas"][name]))


def test_no_boolean_is_bound_to_one_value(document: Json) -> None:
    """Clients for PHP and Python compare it with the text "true", and refuse every answer."""
    booleans = [
        (where, found) for where, found in schemas(document) if found.get("type") == "boolean"
    ]
    assert len(booleans) > 30
    assert [where for where, found in booleans if {"const", "enum"} & found.keys()] == []


def test_nothing_is_sent_in_one_direction_only(document: Json) -> None:
    """What a request or an answer does not have, its schema does not name.

    In a webhook's body, which is a request, `readOnly` says that a field is not sent.
    """
    webhooks = dict(enumerate(reached(document, document["webhooks"])))
    names = {name for _where, found in webhooks.values() for name in found.get("properties", {})}
    assert {"remainingAmount", "totalRefunded", "timezone"} <= names
    for where, found in [*webhooks.values(), *schemas(document)]:
        assert not {"readOnly", "writeOnly"} & found.keys(), where


def test_every_webhook_has_a_name_and_needs_no_credentials(document: Json) -> None:
    """They are signed; a merchant's receiver is not asked for keys of our API."""
    for name, operation in operations(document, "webhooks").items():
        assert operation["security"] == [], name
        assert operation["operationId"] == "on" + operation["requestBody"]["content"][
            "application/json"
        ]["schema"]["$ref"].rpartition("/")[2].removesuffix("Event"), name


def test_every_name_of_an_operation_is_used_once(document: Json) -> None:
    names = [
        operation["operationId"]
        for section in ("paths", "webhooks")
        for operation in operations(document, section).values()
    ]
    assert len(names) == len(set(names)) == 57 + 33


def test_one_verb_stands_for_one_meaning(document: Json) -> None:
    """`get` reads one, `list` several; what only a sandbox has begins with its name."""
    for name, operation in operations(document, "paths").items():
        verb = re.match("[a-z]+", operation["operationId"])[0]  # type: ignore[index]
        assert (verb == "sandbox") == (" /sandbox/" in name), name
        assert verb in VERBS[name.split()[0]], name


def test_every_answer_has_a_schema_with_a_name(document: Json) -> None:
    """Generators name the type of another one after the operation and its status."""
    named = set()
    for name, operation in operations(document, "paths").items():
        for status, answer in operation["responses"].items():
            for kind, content in answer.get("content", {}).items():
                if kind == "application/json":
                    assert content["schema"].keys() == {"$ref"}, f"{name} {status}"
                    named.add(content["schema"]["$ref"].rpartition("/")[2])
    assert {"OrderResponse", "OrderListResponse", "ErrorResponse"} <= named
    assert [each for each in named if not each.endswith("Response")] == []


def test_names_of_schemas_do_not_stammer(document: Json) -> None:
    for name in document["components"]["schemas"]:
        words = re.findall("[A-Z][a-z]+", name)
        assert len(words) == len(set(words)), name


def test_every_tag_is_declared_with_what_it_is_for(document: Json) -> None:
    declared = [tag["name"] for tag in document["tags"]]
    used = {
        tag
        for section in ("paths", "webhooks")
        for operation in operations(document, section).values()
        for tag in operation["tags"]
    }
    assert len(declared) == len(set(declared))
    assert set(declared) == used
    assert all(tag["description"] for tag in document["tags"])


def test_every_integer_that_may_be_large_has_64_bits(document: Json) -> None:
    """Or Java makes it an Integer: too small for milliseconds, for amounts and for an offset."""
    small = 2**31 - 1
    for where, found in schemas(document):
        kinds = found.get("type")
        if "integer" in (kinds if isinstance(kinds, list) else [kinds]):
            bounded = found.get("maximum", small + 1) <= small or "const" in found
            assert found.get("format") == ("int32" if bounded else "int64"), where


def test_every_operation_parameter_and_property_says_what_it_is(document: Json) -> None:
    """Developers read it in their editors."""
    silent = []
    for section in ("paths", "webhooks"):
        for name, operation in operations(document, section).items():
            silent += [] if operation.get("description") else [name]
            silent += [
                f"{name}: {parameter['name']}"
                for parameter in operation.get("parameters", ())
                if not parameter.get("description")
            ]
    for name, schema in document["components"]["schemas"].items():
        for field, about in schema.get("properties", {}).items():
            silent += [] if about.get("description") else [f"{name}.{field}"]
    assert silent == []


def test_no_text_needs_our_own_words(document: Json) -> None:
    """A merchant's developer has read neither our contract nor our glossary."""
    own = re.compile(r"\brails?\b|\bcontract\b|docs/", re.IGNORECASE)
    texts = [
        (where, found[name])
        for where, found in schemas(document)
        for name in ("description", "summary")
        if isinstance(found.get(name), str)
    ]
    assert len(texts) > 1000
    assert [each for each in texts if own.search(each[1])] == []


def test_codes_of_errors_are_an_open_enumeration(document: Json) -> None:
    """`enum` would make clients refuse a new code; `anyOf` makes some of them an object of it."""
    code = document["components"]["schemas"]["ErrorBody"]["properties"]["code"]
    assert code["type"] == "string"
    assert not {"enum", "anyOf", "oneOf"} & code.keys()
    known = code["x-extensible-enum"]
    assert {"VALIDATION_ERROR", "ORDER_NOT_PAYABLE"} <= set(known)
    for name, operation in operations(document, "paths").items():
        for status, answer in operation["responses"].items():
            if status >= "400":
                codes = answer["x-error-codes"]
                assert codes, f"{name} {status}"
                assert set(codes) <= set(known), f"{name} {status}"
                assert all(each in answer["description"] for each in codes), f"{name} {status}"


def test_the_feed_is_a_choice_among_all_events(document: Json) -> None:
    components = document["components"]["schemas"]
    element = components["FeedEvent"]
    choices = element["discriminator"]["mapping"]
    assert element["discriminator"]["propertyName"] == "event"
    assert list(choices) == list(document["webhooks"])
    assert [{"$ref": reference} for reference in choices.values()] == element["oneOf"]
    for kind, reference in choices.items():
        choice = components[reference.rpartition("/")[2]]
        assert choice["properties"]["event"]["const"] == kind
        assert set(choice["required"]) == {"sequence", "id", "event", "data", "timestamp"}
