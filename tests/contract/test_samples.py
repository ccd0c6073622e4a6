"""The programs of the reference in Node.js, Python and PHP create an order when they run."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from merchants.models import Merchant
from payments.api.reference.catalogue import EXAMPLES
from payments.api.reference.document import document
from payments.api.reference.requests import Keys, operations
from payments.api.reference.samples import Sample, samples
from payments.collect.models import Order
from tests.contract.wire import Server, running_server
from tests.support.factories import issue_key

pytestmark = pytest.mark.slow

# Each with the command that runs it, and the one that only reads it.
PROGRAMS = {
    "curl": (["sh", "-eu"], ["sh", "-n"], "sh"),
    "node": (["node"], ["node", "--check"], "mjs"),
    "python": ([sys.executable], [sys.executable, "-m", "py_compile"], "py"),
    "php": (["php"], ["php", "-l"], "php"),
}
PACKAGES = {"curl": "curl", "node": "nodejs", "php": "php-cli and php-curl"}


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> Iterator[Server]:
    with running_server() as running:
        yield running


def sample(operation: str, slug: str, base_url: str = "http://localhost/api/v1") -> Sample:
    found = operations(document())[operation]
    made = samples(EXAMPLES[operation], found, base_url, Keys(), is_json=True)
    return next(each for each in made if each.slug == slug)


def need(slug: str) -> None:
    command = PROGRAMS[slug][0][0]
    if slug == "python" and importlib.util.find_spec("requests") is None:
        pytest.skip("NO REQUESTS: the Python example was NOT run (pip install requests)")
    if shutil.which("curl" if slug == "curl" else command) is None:
        pytest.skip(f"NO {slug}: its examples were NOT run (apt-get install {PACKAGES[slug]})")
    if slug == "php" and b"curl" not in subprocess.check_output(["php", "-m"]):
        pytest.skip("NO php-curl: the PHP examples were NOT run (apt-get install php-curl)")


def run(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(
        command,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("slug", PROGRAMS)
def test_program_creates_one_order_however_often_it_runs(
    server: Server, merchant: Merchant, transactional_db: None, tmp_path: Path, slug: str
) -> None:
    need(slug)
    key, secret = issue_key(merchant)
    keys = {"API_KEY": key.public_key, "API_SECRET": secret}
    command, _check, ending = PROGRAMS[slug]
    base_url, path = f"http://127.0.0.1:{server.port}/api/v1", tmp_path / f"program.{ending}"
    path.write_text(sample("createCollection", slug, base_url).code)
    first, second = (run([*command, str(path)], keys) for _ in range(2))
    order = Order.objects.get()
    assert order.reference == "PEDIDO-1042"
    assert order.customer_name == "María Gómez"
    assert str(order.pk) in first
    assert str(order.pk) in second
    if slug != "curl":
        assert "201" in first
        path.write_text(sample("getCollection", slug, base_url).code)
        read = run([*command, str(path)], {**keys, "ORDER_ID": str(order.pk)})
        assert "200" in read
        assert "PEDIDO-1042" in read


@pytest.mark.parametrize("slug", ["node", "python", "php"])
def test_every_program_is_one_that_its_language_reads(tmp_path: Path, slug: str) -> None:
    need(slug)
    _run, check, ending = PROGRAMS[slug]
    for operation in EXAMPLES:
        code = sample(operation, slug).code
        assert not re.search(r"<#?[A-Z_]+>", code), operation
        path = tmp_path / f"{operation}.{ending}"
        path.write_text(code)
    if slug == "python":
        run([*check, *map(str, tmp_path.glob("*.py"))], {})
    elif slug == "php":
        for path in tmp_path.glob("*.php"):
            run([*check, str(path)], {})
    else:  # in one process: each is the body of a function
        bodies = {path.stem: path.read_text() for path in tmp_path.glob("*.mjs")}
        whole = tmp_path / "whole.mjs"
        whole.write_text(
            "".join(f"async function {name}() {{\n{code}\n}}\n" for name, code in bodies.items())
        )
        run([*check, str(whole)], {})
