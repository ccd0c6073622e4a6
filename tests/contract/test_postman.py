"""The Postman collection: its form, that the file is the schema's, and that it runs as it is."""

import re
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from payments.api.management.commands.write_postman import FILE
from payments.api.reference import postman
from payments.api.reference.catalogue import EXAMPLES, PRODUCTS
from payments.api.reference.document import document
from payments.api.reference.requests import operations
from payments.core import jsontext
from tests.contract.answers import check_each
from tests.support.fixtures import ApiClient
from tests.support.reference_examples import SPENT
from tests.support.settlement_days import MONDAY, Till, at
from webhooks.tasks import number_events

_SET = re.compile(r'pm\.collectionVariables\.set\("(\w+)", (.+)\);')
_VARIABLE = re.compile(r"{{([$\w]+)}}")


def requests(made: dict[str, Any]) -> list[dict[str, Any]]:
    return [item for folder in made["item"] for item in folder["item"]]


def test_the_file_is_what_the_schema_says(tmp_path: Any) -> None:
    assert jsontext.loads(FILE.read_bytes()) == postman.collection(), "Run manage.py write_postman."
    call_command("write_postman", "--check")


def test_a_file_that_drifted_is_told(tmp_path: Any, capsys: Any) -> None:
    old = tmp_path / "old.json"
    old.write_text(FILE.read_text().replace("/collect", "/orders"))
    with pytest.raises(CommandError, match="write_postman"):
        call_command("write_postman", "--check", "--file", str(old))
    call_command("write_postman", "--file", str(old))
    assert old.read_bytes() == FILE.read_bytes()


def test_collection_has_the_form_that_postman_reads() -> None:
    made = postman.collection()
    assert made["info"]["schema"].endswith("/collection/v2.1.0/collection.json")
    assert isinstance(made["info"]["name"], str)
    assert [folder["name"] for folder in made["item"]] == [product.tag for product in PRODUCTS]
    keys = [variable["key"] for variable in made["variable"]]
    assert keys[:3] == ["base_url", "api_key", "api_secret"]
    assert len(keys) == len(set(keys))
    assert all(variable["type"] == "string" for variable in made["variable"])
    # A collection is given away: it holds no keys.
    assert made["variable"][1]["value"] == made["variable"][2]["value"] == ""
    for item in requests(made):
        assert {"name", "request", "response"} <= item.keys()
        request = item["request"]
        assert request["method"] in ("GET", "POST", "PATCH", "DELETE")
        url = request["url"]
        pairs = "&".join(f"{each['key']}={each['value']}" for each in url.get("query", ()))
        assert url["raw"] == "/".join([*url["host"], *url["path"]]) + (f"?{pairs}" if pairs else "")
        assert all(header.keys() == {"key", "value"} for header in request["header"])
        if body := request.get("body"):
            assert body["mode"] == "raw"
        for event in item.get("event", ()):
            assert event["listen"] in ("test", "prerequest")
            assert all(isinstance(line, str) for line in event["script"]["exec"])


def test_collection_has_every_operation_once() -> None:
    assert len(requests(postman.collection())) == len(operations(document()))


def test_whatever_is_named_is_given_before() -> None:
    made = postman.collection()
    known = {variable["key"] for variable in made["variable"]}
    for item in requests(made):
        known |= {name for line in _lines(item) for name, _value in _SET.findall(line)}
        assert set(_VARIABLE.findall(jsontext.dumps(item["request"]))) <= known, item["name"]


def test_each_key_is_made_of_what_the_request_is_about() -> None:
    """Sent again with the same variables, it is the same operation."""
    given = {name for example in EXAMPLES.values() for name in (*example.sets, *example.gives)}
    keys = [
        header["value"]
        for item in requests(postman.collection())
        for header in item["request"]["header"]
        if header["key"] == "Idempotency-Key"
    ]
    assert len(keys) == len(set(keys)) == 10
    assert all(set(_VARIABLE.findall(key)) & given for key in keys)
    assert "event" not in postman.collection()


class Runner:
    """Postman, as far as this collection needs it."""

    def __init__(self, api: ApiClient) -> None:
        self.client = Client()
        self.names = {
            "base_url": "/api/v1",
            "api_key": api.headers["X-Api-Key"],
            "api_secret": api.headers["X-Api-Secret"],
        }
        self.sent = 0

    def put(self, text: str) -> str:
        return _VARIABLE.sub(lambda found: str(self.names[found[1]]), text)

    def send(self, item: dict[str, Any]) -> None:
        self.sent += 1
        self.names["$timestamp"] = str(9000 + self.sent)
        for line in _lines(item, "prerequest"):
            for name, value in _SET.findall(line):
                self.names[name] = self.put(value.split('"')[1])
        request = item["request"]
        answer = self.client.generic(
            request["method"],
            self.put(request["url"]["raw"]),
            self.put(request.get("body", {}).get("raw", "")),
            content_type="application/json",
            headers={each["key"]: self.put(each["value"]) for each in request["header"]},
        )
        if answer.streaming:  # a program reads what it asked for before it asks again
            b"".join(answer.streaming_content)
        for line in _lines(item, "test"):
            if expected := re.search(r"status\((\d+)\)", line):
                assert answer.status_code == int(expected[1]), (item["name"], answer.content)
            for name, path in _SET.findall(line):
                value = jsontext.loads(answer.content)
                for step in re.findall(r"\w+", path.removeprefix("pm.response.json()")):
                    value = value[int(step)] if step.isdigit() else value[step]
                self.names[name] = value


def _lines(item: dict[str, Any], listen: str = "") -> list[str]:
    return [
        line
        for event in item.get("event", ())
        if listen in ("", event["listen"])
        for line in event["script"]["exec"]
    ]


def test_every_request_of_the_collection_succeeds_twice(api: ApiClient) -> None:
    """Every request of the file, after those that its names come from."""
    till = Till(api.merchant)
    till.collect(at(MONDAY), base="5000000")
    till.close(MONDAY)
    runner = Runner(api)
    by_name = {item["name"]: item for item in requests(jsontext.loads(FILE.read_bytes()))}
    titles = {name: each.about["summary"] for name, each in operations(document()).items()}

    def run(operation: str) -> None:
        for needed in EXAMPLES[operation].needs:
            if needed in SPENT or needed not in played:
                run(needed)
        if operation == "listEvents":
            number_events()
        runner.send(by_name[titles[operation]])
        played.add(operation)

    for _time in (1, 2):
        played: set[str] = set()
        check_each(EXAMPLES, run)
