"""The commands of the guides, run by a shell against a real server, in the order of each page.

Both languages have the same commands: test_texts compares them.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings

from config.devstack.valkey import free_port
from merchants.models import Merchant
from payments.api.guides import library
from payments.collect.models import Order, Refund
from payments.core import clock
from payments.payout.models import Payout
from tests.contract.test_curls import Answer, Shell, server, shell, twice
from tests.contract.wire import Server
from tests.guides.blocks import blocks, commands
from tests.support.factories import issue_key
from tests.webhooks.conftest import run_dispatcher
from webhooks import signing

pytestmark = pytest.mark.slow
__all__ = ["server", "shell"]  # fixtures

ADDRESS = "http://localhost:8000"
SECRET = "whsec_dGhpcyBpcyBhIHNlY3JldCBvZiAzMiBieXRlcyBsb25n"
PROGRAMS = {"node": "node", "python": sys.executable, "php": "php"}
PACKAGES = {"node": "nodejs", "php": "php-cli and php-curl", "python": "python3"}
# What an answer says in place of 2xx, if the same request again has nothing left to do.
IS_OVER = ("ORDER_NOT_PAYABLE", "NOT_ALLOWED")
# Guides of which a command needs an order that is not paid.
UNPAID = ("testing", "orders", "direct-api")


def filled(text: str, shell: Shell) -> str:
    """The command as a reader sends it who has copied ids from the answers before."""
    values = {"pk_...": shell.keys["API_KEY"], "sk_...": shell.keys["API_SECRET"]}
    for placeholder, model in (("col_...", Order), ("ref_...", Refund), ("po_...", Payout)):
        if placeholder in text:
            values[placeholder] = model.objects.latest("created_at").pk
    for placeholder, value in values.items():
        text = text.replace(placeholder, value)
    return text.replace(ADDRESS, shell.address)


def pay(shell: Shell) -> None:
    """A paid order, for the guides that begin with one."""
    create, paid = (commands("accept-a-payment")[number] for number in (0, 1))
    for text in (create, paid):
        (answer,) = shell.run(filled(text, shell))
        assert answer.status in (200, 201), answer.text


@pytest.mark.parametrize("slug", [slug for slug in library.SLUGS if commands(slug)])
def test_every_command_of_a_guide(shell: Shell, slug: str) -> None:
    """And the same again, as after a time-out: nothing happens twice."""
    if slug != "accept-a-payment":
        pay(shell)
    if slug in UNPAID:
        shell.run(filled(commands("accept-a-payment")[0], shell))
    for text in commands(slug):
        if "/refunds " in text:  # each refund has an order of its own
            pay(shell)
        answers = shell.run(twice(filled(text, shell)))
        first, *repeated = answers
        assert first.status in (200, 201), (text, first.text)
        for answer in repeated:
            check_repeated(first, answer, text)


def check_repeated(first: Answer, answer: Answer, text: str) -> None:
    if any(code in answer.text for code in IS_OVER):
        return
    assert answer.status == first.status, (text, answer.text)
    if "Idempotency-Key" in text:
        assert answer.headers["idempotent-replayed"] == "true", text


def test_a_partial_refund_leaves_what_the_guide_says(shell: Shell) -> None:
    """The shop's own total is not the whole order: the fee remains."""
    pay(shell)
    _all, part, read, decide = commands("refunds")
    total = part.replace('"amount": 20000', '"amount": 50000')
    for text in (total, decide, read):
        (answer,) = shell.run(filled(text, shell))
    assert answer.body["data"]["status"] in ("PROCESSING", "COMPLETED")
    order = Order.objects.latest("created_at")
    (refused,) = shell.run(filled(part.replace('-1"', '-2"'), shell))
    assert refused.body["error"]["code"] == "AMOUNT_ABOVE_LIMIT"
    assert refused.body["error"]["details"]["max"] == order.amount - 50000 == 25


def need(slug: str) -> None:
    if shutil.which(PROGRAMS[slug]) is None:
        pytest.skip(f"NO {slug}: the guide's program was NOT run (install {PACKAGES[slug]})")
    if slug == "php" and b"curl" not in subprocess.check_output(["php", "-m"]):
        pytest.skip("NO php-curl: the guide's program was NOT run (install php-curl)")


def command(number: int, slug: str) -> str:
    """The `number`th command of the first guide in this language."""
    found = [each.code for each in blocks("accept-a-payment") if each.info == f"sh {slug}"]
    return found[number].strip()


@contextmanager
def receiving(slug: str, port: int, folder: Path) -> Iterator[Path]:
    """The receiver, started by the guide's command; the file with what it prints."""
    text = command(0, slug).replace("whsec_...", SECRET).replace("9000", str(port))
    out = folder / "receiver.log"
    with out.open("wb") as log:
        process = subprocess.Popen(
            ["/bin/sh", "-c", text],
            cwd=settings.BASE_DIR,
            env={"PATH": os.environ["PATH"], "SEEN_DIR": str(folder)},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        wait_for(port, process)
        yield out
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(10)


def wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("The receiver did not start.")


@pytest.mark.parametrize("slug", PROGRAMS)
def test_the_first_guide_ends_with_a_verified_webhook(
    server: Server, transactional_db: None, merchant: Merchant, tmp_path: Path, slug: str
) -> None:
    need(slug)
    port = free_port()
    key, secret = issue_key(merchant)
    Merchant.objects.filter(pk=merchant.pk).update(
        webhook_url=f"http://localhost:{port}/", webhook_secret=SECRET
    )
    values = {"pk_...": key.public_key, "sk_...": secret}
    values[ADDRESS] = f"http://127.0.0.1:{server.port}"

    def run(text: str) -> str:
        for placeholder, value in values.items():
            text = text.replace(placeholder, value)
        done = subprocess.run(
            ["/bin/sh", "-euc", text],
            cwd=settings.BASE_DIR,
            env={"PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    with receiving(slug, port, tmp_path) as log:
        created = run(command(1 if slug != "curl" else 0, slug))
        order = Order.objects.get()
        assert created.split() == [order.pk, "PENDING", "50025", order.collect_url]
        values["col_..."] = str(order.pk)
        run(commands("accept-a-payment")[1])
        run_dispatcher()
        printed = [line for line in log.read_text().splitlines() if line.startswith("evt_")]
        assert [line.split()[1:] for line in printed] == [["payment.completed", order.reference]]


OWN = {
    "javascript": """
const headers = JSON.parse(process.argv[2]);
const body = Buffer.from(process.argv[3]);
console.log(isGenuine(headers, body, process.argv[4]) ? "genuine" : "refused");
""",
    "python": """
import json, sys
from email.message import Message
headers = Message()
for name, value in json.loads(sys.argv[1]).items():
    headers[name] = value
print("genuine" if is_genuine(headers, sys.argv[2].encode(), sys.argv[3]) else "refused")
""",
    "php": """
$server = [];
foreach (json_decode($argv[1], true) as $name => $value) {
    $server['HTTP_' . strtoupper(str_replace('-', '_', $name))] = $value;
}
echo is_genuine($server, $argv[2], $argv[3]) ? 'genuine' : 'refused';
""",
}
ENDINGS = {"javascript": ("node", "cjs"), "python": ("python", "py"), "php": ("php", "php")}


@pytest.mark.parametrize("number", [0, 1], ids=["standard", "own"])
@pytest.mark.parametrize("language", OWN)
def test_each_way_of_verifying_accepts_what_is_sent_and_nothing_else(
    tmp_path: Path, language: str, number: int
) -> None:
    program, ending = ENDINGS[language]
    need(program)
    found = [
        each.code
        for each in blocks("webhooks")
        if each.info == language and re.search(r"is_?genuine", each.code, re.IGNORECASE)
    ]
    path = tmp_path / f"verify.{ending}"
    path.write_text(found[number] + OWN[language])
    body = '{"event":"payment.completed","data":{"reference":"P-ñ"}}'
    sent = signing.headers(
        event_id="evt_1", attempt=1, body=body.encode(), secret=SECRET, at=clock.now()
    )
    lower = {name.lower(): value for name, value in sent.items()}

    def verdict(headers: dict[str, str], text: str) -> str:
        arguments = [PROGRAMS[program], str(path), json.dumps(headers), text, SECRET]
        return subprocess.check_output(arguments, text=True).strip()

    assert verdict(lower, body) == "genuine"
    assert verdict(lower, body + " ") == "refused"
    assert verdict({}, body) == "refused"
    two = {**lower, "webhook-signature": f"v1,b3RoZXI= {lower['webhook-signature']}"}
    assert verdict(two, body) == "genuine"
    old = {**lower, "webhook-timestamp": "1700000000", "x-service-timestamp": "1700000000000"}
    assert verdict(old, body) == "refused"
