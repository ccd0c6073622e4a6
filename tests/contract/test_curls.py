"""Every curl that we print works when it is pasted, and when it is sent a second time.

README, docs/, what `make run` prints, the reference: in a real shell, against a real server.
"""

import itertools
import json
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from config.devstack.banner import order_command
from merchants.models import Merchant
from payments.api.reference import requests
from payments.api.reference.catalogue import EXAMPLES, Example
from payments.api.reference.document import document
from payments.collect.models import Order
from tests.contract.answers import check_each
from tests.contract.curl_stand_in import Curl
from tests.contract.wire import Server, running_server
from tests.support.factories import issue_key
from tests.support.reference_examples import SPENT, value_at
from tests.support.settlement_days import MONDAY, Till, at
from webhooks.tasks import number_events

pytestmark = pytest.mark.slow

# What is over is over: the same request again is refused, and changes nothing.
ENDS = {
    "sandboxResolveCollection": "ORDER_NOT_PAYABLE",
    "sandboxResolveRefund": "NOT_ALLOWED",
    "sandboxResolveDispute": "NOT_ALLOWED",
    "sandboxResolvePayout": "NOT_ALLOWED",
}


# Of the shell itself; everything else that is there was set by what was pasted.
OWN = {"API_KEY", "API_SECRET", "PATH", "PWD", "OLDPWD", "SHLVL", "_"}
ID = {"id", "payoutId", "batchId"}
# Not those of tests/support/reference_examples.py: the simulator is one for all tests of a process,
# and a bill that the other examples paid owes nothing.
_serial = itertools.count(501043)


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> Iterator[Server]:
    """The examples have four statements, and each is sent four times within a minute."""
    with running_server(RATE_LIMIT_STATEMENT="100/m") as running:
        yield running


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    text: str

    @property
    def body(self) -> Any:
        return json.loads(self.text)


@dataclass
class Shell:
    """A shell whose clock is a second later at each look, so that no test has to wait."""

    folder: Path
    address: str
    keys: dict[str, str]
    curl: Curl
    names: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        clock, program = self.folder / "clock", self.folder / "date"
        clock.write_text("1790000000")
        program.write_text(f"#!/bin/sh\nnow=$(($(cat {clock}) + 1)); echo $now | tee {clock}\n")
        program.chmod(0o755)

    def run(self, text: str) -> list[Answer]:
        """What was answered to each curl of the text; what it sets stays for the next one."""
        self.curl.answers.clear()
        path = f"{self.folder}:{os.environ['PATH']}"
        environment = {**self.keys, **self.names, "PATH": path}
        after = self.folder / "names"
        done = subprocess.run(
            ["/bin/sh", "-aeuc", f"{text}\nenv -0 >{after}"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (text, done.stderr)
        found = dict(line.split("=", 1) for line in after.read_text().split("\0")[:-1])
        self.names = {name: value for name, value in found.items() if name not in OWN}
        return [Answer(*answer) for answer in self.curl.answers]


@pytest.fixture
def shell(
    server: Server, transactional_db: None, merchant: Merchant, tmp_path: Path
) -> Iterator[Shell]:
    """Of a merchant with a closed day, so that there is a settlement to read."""
    till = Till(merchant)
    till.collect(at(MONDAY), base="5000000")
    till.close(MONDAY)
    key, secret = issue_key(merchant, ("payout:create", "webhook:manage"))
    keys = {"API_KEY": key.public_key, "API_SECRET": secret}
    curl = Curl(tmp_path)
    with curl.on_path():
        yield Shell(tmp_path, f"http://127.0.0.1:{server.port}", keys, curl)


def twice(text: str) -> str:
    """The command, and then the command alone again: what it has set stays as it was."""
    sets, curl, rest = text.partition("curl ")
    return f"{sets}{curl}{rest}\n{curl}{rest}"


class Page:
    """A reader of the reference who pastes one example after the other."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell
        self.operations = requests.operations(document())
        self.played: set[str] = set()

    def play(self, name: str) -> None:
        example = EXAMPLES[name]
        for needed in example.needs:
            if needed in SPENT or needed not in self.played:
                self.play(needed)
        self.played.add(name)
        if name == "listEvents":
            number_events()
        base_url = f"{self.shell.address}/api/v1"
        serial = str(next(_serial))  # as a reader who changes the reference
        text = requests.curl(example, self.operations[name], base_url, now=serial)
        first, second = self.shell.run(twice(text))
        self.check(example, first, second)
        for given, where in example.gives.items():
            self.shell.names[given] = str(value_at(first.body, where))

    def check(self, example: Example, first: Answer, second: Answer) -> None:
        assert first.status == example.status, (example.operation, first.text)
        if example.operation in ENDS:
            refusal = second.body.get("error", {}).get("code")
            assert refusal == ENDS[example.operation], (example.operation, second.text)
            return
        assert second.status == example.status, (example.operation, second.text)
        replayed = "true" if example.idempotency_key else None
        assert second.headers.get("idempotent-replayed") == replayed, example.operation
        if replayed:
            ids = [{each.body["data"].get(name) for name in ID} for each in (first, second)]
            assert ids[0] == ids[1] != {None}, example.operation


def test_every_example_of_the_reference(shell: Shell) -> None:
    """All of them, twice; and each command once more, as after an answer that was lost."""
    for _visit in (1, 2):
        check_each(EXAMPLES, Page(shell).play)


def blocks(path: Path) -> list[str]:
    """The blocks for a shell that ask our API."""
    text = re.sub(r"^ {3}", "", path.read_text(), flags=re.MULTILINE)
    found = re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [block for block in found if re.search(r"^curl ", block, re.MULTILINE)]


DOCS = settings.BASE_DIR / "docs"
# tests/guides runs the commands of the guides.
MANUALS = [
    settings.BASE_DIR / "README.md",
    *(path for path in sorted(DOCS.rglob("*.md")) if DOCS / "guides" not in path.parents),
]
SNIPPETS = {
    f"{path.relative_to(settings.BASE_DIR)} {number}": block
    for path in MANUALS
    for number, block in enumerate(blocks(path), 1)
}


def test_the_manuals_have_such_commands() -> None:
    """Or else the test below would prove nothing."""
    assert {"README.md 1", *(f"docs/operations/install.md {n}" for n in (2, 3))} <= SNIPPETS.keys()


@pytest.mark.parametrize("name", SNIPPETS)
def test_every_command_of_the_manuals(shell: Shell, name: str) -> None:
    shell.run(requests_of_an_order(shell))
    text = re.sub(
        r"https?://(localhost:8000|127\.0\.0\.1:8000|pagos\.example)", shell.address, SNIPPETS[name]
    )
    for placeholder, value in (
        *(("pk_...", shell.keys["API_KEY"]), ("sk_...", shell.keys["API_SECRET"])),
        ("col_...", Order.objects.first().pk),
    ):
        text = text.replace(placeholder, value)
    text = "\n".join(line for line in text.splitlines() if not line.startswith("docker "))
    before = Order.objects.count()
    answers = shell.run(twice(text)) + shell.run(text)
    first, *repeated = answers
    assert first.status in (200, 201) or "readyz" in text, first.text
    for answer in repeated:
        is_over = "/sandbox/collect/" in text and ENDS["sandboxResolveCollection"] in answer.text
        assert is_over or answer.status in (200, 201) or "readyz" in text, answer.text
    if first.status == 201:
        assert repeated[0].headers["idempotent-replayed"] == "true"
        assert Order.objects.count() == before + 2


def requests_of_an_order(shell: Shell) -> str:
    """Some order, for the commands that read one."""
    operation = requests.operations(document())["createCollection"]
    example, base_url = EXAMPLES["createCollection"], f"{shell.address}/api/v1"
    return requests.curl(example, operation, base_url, now=str(next(_serial)))


def test_the_command_that_make_run_prints(shell: Shell) -> None:
    demo = {"apiKey": shell.keys["API_KEY"], "apiSecret": shell.keys["API_SECRET"]}
    text = order_command(demo, shell.address)
    created, replayed, another = shell.run(twice(text)) + shell.run(text)
    assert [each.status for each in (created, replayed, another)] == [201, 201, 201]
    assert replayed.headers["idempotent-replayed"] == "true"
    assert created.body["data"]["id"] == replayed.body["data"]["id"]
    assert Order.objects.count() == 2
