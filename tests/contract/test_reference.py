"""The reference says what is so: every example is played against the service.

RECORD=1 writes what was answered into payments/api/reference/recordings.json.
"""

import html
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator, FormatChecker

from payments.api.reference import error_codes, page, postman, recordings, sections
from payments.api.reference.catalogue import EXAMPLES, PRODUCTS
from payments.api.reference.document import document
from payments.api.reference.requests import Keys, curl, operations
from payments.core import jsontext
from tests.contract.answers import check_each
from tests.settlement.test_taxes import vat
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from tests.support.reference_examples import Reader, public, shape, shortened
from tests.support.settlement_days import MONDAY, Till, at

RECORDING = bool(os.environ.get("RECORD"))


@pytest.fixture
def reader(api: ApiClient) -> Reader:
    """A merchant with a closed day, so that there is a settlement to read."""
    till = Till(api.merchant)
    vat()
    till.collect(at(MONDAY), fee="119")
    till.close(MONDAY)
    return Reader(api)


def test_each_example_is_answered_as_it_is_printed(reader: Reader) -> None:
    seen: dict[str, Any] = {}

    def check(operation: str) -> None:
        call, response = reader.play(operation)
        is_json = response.headers["Content-Type"] == "application/json"
        content = response.getvalue() if response.streaming else response.content
        answer = response.body if is_json else content.decode()
        seen[operation] = {
            "path": call.path,
            "body": jsontext.loads(call.body.encode()) if call.body else None,
            "status": response.status_code,
            "answer": shortened(answer) if not answer_is_a_page(response) else "",
        }
        if is_json:
            validate(operation, json.loads(content))
        if not RECORDING:
            assert shape(recordings.recorded()[operation]) == shape(seen[operation])
            assert recordings.recorded()[operation]["status"] == response.status_code

    check_each(EXAMPLES, check)
    if RECORDING:
        recordings.FILE.write_text(public(jsontext.pretty(seen)) + "\n")


def answer_is_a_page(response: Any) -> bool:
    return response.headers["Content-Type"].startswith("text/html")


def validate(operation: str, answer: Any) -> None:
    """The answer is what the document promises."""
    found = operations(document())[operation]
    promised = found.about["responses"][str(EXAMPLES[operation].status)]
    schema = {
        **promised["content"]["application/json"]["schema"],
        "components": document()["components"],
    }
    plain = json.loads(jsontext.dumps(schema))
    Draft202012Validator(plain, format_checker=FormatChecker()).validate(answer)


def test_every_operation_has_an_example_under_its_product() -> None:
    found = {name: each.about["tags"][0] for name, each in operations(document()).items()}
    assert found == {
        example.operation: product.tag for product in PRODUCTS for example in product.examples
    }
    assert set(recordings.recorded()) == set(EXAMPLES)


def test_the_document_carries_the_examples() -> None:
    about = operations(document())["createCollection"].about
    asked = about["requestBody"]["content"]["application/json"]["example"]
    answered = about["responses"]["201"]["content"]["application/json"]["example"]
    assert asked["reference"] == answered["data"]["reference"]
    assert answered["data"]["collectUrl"].startswith("http://localhost:8000/pay/")


def test_every_error_code_is_explained() -> None:
    """Found in the source: a class with a code, or a refusal made on the spot."""
    written = set()
    for folder in ("payments", "merchants", "webhooks", "config"):
        for path in (settings.BASE_DIR / folder).rglob("*.py"):
            text = path.read_text()
            if "ServiceError" in text or "core.errors" in text or "Refusal(" in text:
                written |= set(re.findall(r'^    code = "([A-Z_]+)"$', text, re.MULTILINE))
                written |= set(re.findall(r'Refusal\(\s*\w+, "([A-Z_]+)"', text))
    assert len(written) > 40
    shown = {each.code for each in error_codes.table()}
    assert written - shown - error_codes.NOT_OF_THE_API == set()
    assert [each.code for each in error_codes.table() if not each.meaning] == []
    assert shown == set(error_codes.ADVICE) == set(error_codes.ALL_REMEDIES)
    assert not shown & error_codes.NOT_OF_THE_API


def test_the_codes_of_an_operation_are_those_of_the_table() -> None:
    shown = {each.code: each.statuses for each in error_codes.table()}
    for name, example in EXAMPLES.items():
        documented = operations(document())[name].about["responses"]
        for code in example.errors:
            assert any(str(status) in documented for status in shown[code]), (name, code)
    everywhere = {
        "VALIDATION_ERROR",
        "MISSING_CREDENTIALS",
        "INVALID_CREDENTIALS",
        "MERCHANT_NOT_ACTIVE",
        "NOT_FOUND",
        "METHOD_NOT_ALLOWED",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
        "RATE_LIMIT_EXCEEDED",
        "INTERNAL_ERROR",
        "SERVICE_UNAVAILABLE",
        "REQUEST_TIMEOUT",
    }
    of_some = {code for example in EXAMPLES.values() for code in example.errors}
    assert set(shown) == everywhere | of_some


def test_a_refusal_is_as_it_is_printed(api: ApiClient) -> None:
    assert api.post("/collect", order_body(amount=999)).body == page._FAILURE


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """A shell whose curl only tells what it was asked to send."""
    curl = tmp_path / "curl"
    curl.write_text('#!/bin/sh\nfor each in "$@"; do printf "%s\\0" "$each"; done\n')
    curl.chmod(0o755)
    return {"PATH": f"{tmp_path}:/usr/bin:/bin", "ORDER_ID": "col_1", "API_KEY": "pk_1"} | {
        name: "7"
        for example in EXAMPLES.values()
        for name in {**example.gives, **example.sets}
        if name != "ORDER_ID"
    }


@pytest.mark.slow
def test_every_command_is_one_that_a_shell_understands(shell: dict[str, str]) -> None:
    for name, example in EXAMPLES.items():
        operation = operations(document())[name]
        text = curl(example, operation, base_url="http://localhost/api/v1")
        ran = subprocess.run(
            ["/bin/sh", "-euc", text],
            env={"API_SECRET": "sk_1", **shell},
            capture_output=True,
            check=True,
        )
        sent = ran.stdout.decode().split("\0")[:-1]
        assert "X-Api-Key: pk_1" in sent
        assert "X-Api-Secret: sk_1" in sent
        (url,) = (each for each in sent if each.startswith("http"))
        assert "$" not in url
        if example.body is not None:
            body = json.loads(sent[sent.index("-d") + 1])
            assert body.keys() == example.body.keys()
            assert "<" not in json.dumps(body)
            assert "$" not in json.dumps(body)


@pytest.fixture
def english() -> Client:
    return Client(headers={"accept-language": "en"})


class TestPage:
    """GET /docs."""

    def test_reference_shows_every_operation_with_its_example(
        self, english: Client, db: None
    ) -> None:
        text = html.unescape(english.get("/docs").content.decode())
        for name, operation in operations(document()).items():
            assert f'id="{name}"' in text
            assert f"<code>{operation.path}</code>" in text
            command = curl(EXAMPLES[name], operation, base_url=f"{settings.PUBLIC_URL}/api/v1")
            assert command in text
            section = text.partition(f'id="{name}">')[2].partition("</section>")[0]
            shown = re.findall(r'<figure class="(\w+)">', section)
            assert shown == ["curl", "node", "python", "php"], name

    def test_its_links_lead_somewhere(self, english: Client, db: None) -> None:
        text = english.get("/docs").content.decode()
        ids = re.findall(r'\bid="([^"]+)"', text)
        assert len(ids) == len(set(ids))
        targets = set(re.findall(r'href="#([^"]+)"', text))
        assert len(targets) > 60
        assert targets <= set(ids)
        for link in set(re.findall(r'(?:href|src)="(/[^"]*)"', text)):
            assert english.get(link, follow=True).status_code == 200, link

    def test_reference_loads_nothing_from_elsewhere_and_runs_nothing_inline(
        self, english: Client, db: None
    ) -> None:
        page = english.get("/docs")
        text = page.content.decode()
        assert not re.search(r'(?:href|src)="(?!/|#|\?lang=)', text)
        assert not re.search(r"<script(?! src=)|<style|\sstyle=|\son\w+=", text)
        policy = page.headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "script-src 'self'" in policy

    def test_its_weight_is_bounded(self, english: Client, db: None) -> None:
        text = english.get("/docs").content
        files = re.findall(r'"(/static/docs/[^"]+)"', text.decode())
        assert len(files) == 4
        weights = [len(b"".join(english.get(file).streaming_content)) for file in files]
        assert sum(weights) < 32_000
        zipped = english.get("/docs", headers={"Accept-Encoding": "gzip"})
        assert zipped.headers["Content-Encoding"] == "gzip"
        assert len(zipped.content) + sum(weights) < 85_000

    def test_the_receivers_are_those_that_are_tested(self, english: Client, db: None) -> None:
        text = html.unescape(english.get("/docs").content.decode())
        for path in sorted((settings.BASE_DIR / "examples" / "receivers").glob("receiver.*")):
            assert f"<code>{path.read_text()}</code>" in text

    def test_the_magic_values_are_those_of_the_manual(self, english: Client, db: None) -> None:
        text = english.get("/docs").content.decode()
        manual = (settings.BASE_DIR / "docs" / "simulator.md").read_text()
        values = set(re.findall(r"^\| `(\d{10})`", manual, re.MULTILINE))
        assert len(values) > 60
        assert {value for value in values if f"<code>{value}</code>" in text} == values

    def test_an_example_that_is_sent_again_has_the_same_key(
        self, english: Client, db: None
    ) -> None:
        """A key or a reference with the time in it would be a new payment for each sending."""
        text = html.unescape(english.get("/docs").content.decode())
        keys = re.findall(r'-H "Idempotency-Key: ([^"]+)"', text)
        assert len(keys) >= 6
        assert all("$" in key for key in keys)
        assert "REFERENCE=PEDIDO-1042\ncurl" in text
        assert "$(" not in "".join(re.findall(r"<code>(?:\w+=.*\n)?curl [^<]+</code>", text))
        assert "the same command again is a retry" in text

    def test_reference_explains_its_words_where_they_come_first(
        self, english: Client, db: None
    ) -> None:
        text = html.unescape(english.get("/docs").content.decode())
        assert text.index("COPM</code> is the balance in pesos") <= text.index("COPM")
        assert text.index("a second try after a failed order") < text.index('id="authentication"')
        row = text.partition('<th scope="row"><code>callbackUrl</code>')[2].partition("</tr>")[0]
        assert "browser returns" in row
        for name in ("id", "reference", "status", "confirmation=webhook"):
            assert f"<code>{name}</code>" in row
        assert "resolve</code> above" not in text

    def test_reference_states_the_limits_and_retries_that_are_set(
        self, english: Client, db: None
    ) -> None:
        text = english.get("/docs").content.decode()
        assert "100 a minute" in text
        assert "at once, 5 min later, 30 min later, 2 h later, 24 h later" in text

    def test_the_page_is_in_the_language_of_its_reader(self, client: Client, db: None) -> None:
        spanish = client.get("/docs", headers={"Accept-Language": "es"}).content.decode()
        english = client.get("/docs", headers={"Accept-Language": "en"}).content.decode()
        assert '<html lang="es">' in spanish
        assert '<html lang="en">' in english
        assert "Create a collection order" in english
        assert "Create a collection order" not in spanish

    def test_a_reader_changes_the_language_for_good(self, client: Client, db: None) -> None:
        headers = {"Accept-Language": "es"}
        assert 'href="?lang=en"' in client.get("/docs", headers=headers).content.decode()
        assert b'<html lang="en">' in client.get("/docs?lang=en", headers=headers).content
        assert b'<html lang="en">' in client.get("/docs", headers=headers).content
        assert b'<html lang="en">' in client.get("/docs?lang=xx", headers=headers).content

    def test_the_old_page_of_trials_leads_here(self, client: Client, db: None) -> None:
        answer = client.get("/docs/try")
        assert answer.status_code == 301
        assert answer.headers["Location"] == "/docs"


def test_where_money_is_real_there_is_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = {k: v for k, v in document()["paths"].items() if not k.startswith("/sandbox/")}
    for module in (page, postman, sections):
        monkeypatch.setattr(module, "document", lambda: {**document(), "paths": paths})
    shown = page.context(Keys(), "http://localhost")
    assert not shown["is_sandbox"]
    text = render_to_string("docs/reference.html", shown)
    assert "/sandbox/" not in text
    assert "try.js" not in text
    assert "data-request" not in text
    assert "#sandbox" not in text
    assert "/sandbox/" not in json.dumps(postman.collection())


class TestDemoKeys:
    """On a bare machine the examples run as they are; nowhere else are keys on the page."""

    @pytest.fixture(autouse=True)
    def demo(self, settings: Any, tmp_path: Path) -> None:
        settings.DATA_DIR = tmp_path
        settings.PUBLIC_URL = "http://localhost:8000"
        keys = {"apiKey": "pk_demo", "apiSecret": "sk_demo"}
        (tmp_path / "demo.json").write_text(json.dumps(keys))

    def text(self, client: Client, **request: Any) -> str:
        request = {"HTTP_ACCEPT_LANGUAGE": "en", **request}
        return html.unescape(client.get("/docs", **request).content.decode())

    def test_they_stand_in_every_example(self, client: Client, db: None) -> None:
        page = client.get("/docs", HTTP_HOST="localhost:8000")
        text = html.unescape(page.content.decode())
        assert text.count('-H "X-Api-Key: pk_demo"') == len(EXAMPLES)
        assert text.count('"X-Api-Key": "pk_demo"') == 2 * len(EXAMPLES)
        assert "process.env.API_KEY" not in text
        assert "export API_SECRET=sk_demo" in text
        assert page.headers["Cache-Control"] == "no-store"

    def test_reference_shows_no_demo_keys_in_production(
        self, client: Client, db: None, settings: Any
    ) -> None:
        settings.PRODUCTION = True
        text = self.text(client, HTTP_HOST="localhost:8000")
        assert "demo" not in re.sub(r"demo merchant", "", text)
        assert "X-Api-Key: $API_KEY" in text

    @pytest.mark.parametrize(
        "request_",
        [
            {"HTTP_HOST": "localhost:8000", "REMOTE_ADDR": "192.168.1.7"},
            {"HTTP_HOST": "tunnel.example", "REMOTE_ADDR": "127.0.0.1"},
            {"HTTP_HOST": "localhost", "HTTP_X_FORWARDED_FOR": "10.0.0.1"},
            {"HTTP_HOST": "localhost", "HTTP_X_FORWARDED_HOST": "tunnel.example"},
            {"HTTP_HOST": "localhost", "HTTP_X_FORWARDED_PROTO": "https"},
            {"HTTP_HOST": "localhost", "HTTP_X_REAL_IP": "190.24.10.7"},
            {"HTTP_HOST": "localhost", "HTTP_VIA": "1.1 cdn"},
            {"HTTP_HOST": "localhost", "HTTP_FORWARDED": "for=190.24.10.7"},
            {"HTTP_HOST": "localhost.evil.example:8000"},
        ],
    )
    def test_not_for_a_client_that_sits_elsewhere(
        self, client: Client, db: None, request_: dict[str, str]
    ) -> None:
        text = self.text(client, **request_)
        assert "sk_demo" not in text

    def test_not_where_the_service_is_known_by_another_name(
        self, client: Client, db: None, settings: Any
    ) -> None:
        settings.PUBLIC_URL = "https://pagos.example"
        assert "sk_demo" not in self.text(client, HTTP_HOST="localhost:8000")

    @pytest.mark.parametrize("host", ["127.0.0.1:8000", "[::1]:8000", "localhost"])
    def test_by_every_name_of_this_machine(self, client: Client, db: None, host: str) -> None:
        assert "sk_demo" in self.text(client, HTTP_HOST=host)

    def test_without_them_the_page_names_variables(
        self, client: Client, db: None, settings: Any, tmp_path: Path
    ) -> None:
        (tmp_path / "demo.json").write_text("{")
        assert "X-Api-Key: $API_KEY" in self.text(client, HTTP_HOST="localhost:8000")


def test_the_document_is_made_once(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.get("/api/v1/openapi.json")
    assert first.status_code == 200
    monkeypatch.setattr(SchemaGenerator, "get_schema", None)  # it is not called again
    assert client.get("/api/v1/openapi.json").content == first.content
    assert client.post("/api/v1/openapi.json").status_code == 405


def test_the_collection_can_be_downloaded(client: Client, db: None) -> None:
    page = client.get("/docs/postman.json")
    assert "attachment" in page.headers["Content-Disposition"]
    made = json.loads(page.content)
    assert made["variable"][0]["value"] == f"{settings.PUBLIC_URL}/api/v1"
