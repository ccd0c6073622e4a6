"""Generated clients against a running service: `make clients`, which sets CLIENTS=1.

They need Java, Node.js and PHP, which the rest of the suite does without.
"""

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import openapi_generator_cli
import pytest

from merchants.models import Merchant
from tests.contract.wire import Server, running_server
from tests.support.factories import issue_key
from tests.support.programs import Program, said

HERE = Path(__file__).parent
GUZZLE = Path("/usr/share/php/GuzzleHttp/autoload.php")  # of Debian's package
JAR = Path(openapi_generator_cli.__file__).with_name("openapi-generator.jar")
GENERATE = ("java", "-jar", str(JAR), "generate")
ATTRS = "python-attrs"  # of openapi-python-client; the others are of openapi-generator
LANGUAGES = ("python", "php", ATTRS)
PROGRAMS = {"python": "merchant.py", ATTRS: "merchant_attrs.py"}
collect_ignore_glob = [] if os.environ.get("CLIENTS") else ["test_*.py"]


def missing(language: str) -> str:
    """What this machine lacks for the language: Debian's names of the packages."""
    lacking = [] if language == ATTRS or shutil.which("java") else ["default-jre-headless"]
    if language == "php":
        lacking += [] if shutil.which("php") else ["php-cli"]
        lacking += [] if GUZZLE.exists() else ["php-guzzlehttp-guzzle"]
        if shutil.which("php"):
            known = subprocess.run(["php", "-m"], capture_output=True, text=True, check=True)
            modules = known.stdout.lower().split()
            lacking += [f"php-{name}" for name in ("curl", "mbstring") if name not in modules]
    return ", ".join(lacking)


def generation(language: str, document: Path, folder: Path) -> list[str]:
    """The command that makes the client."""
    if language != ATTRS:
        return [*GENERATE, "-g", language, "-i", str(document), "-o", str(folder)]
    # A warning says that an operation or a schema was left out. Its formatter is not needed.
    settings = folder / "settings.json"
    settings.write_text(json.dumps({"post_hooks": []}))
    options = ["--config", str(settings), "--overwrite", "--fail-on-warning"]
    generate = [sys.executable, "-m", "openapi_python_client", "generate", *options]
    return [*generate, "--path", str(document), "--output-path", str(folder)]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Green must not mean that nothing was tried."""
    skipped = terminalreporter.stats.get("skipped", ())
    for reason in sorted({str(report.longrepr[2]) for report in skipped}):
        terminalreporter.write_line(f"WARNING: {reason}", red=True)


@pytest.fixture(scope="session")
def service(django_db_setup: None) -> Iterator[Server]:
    """The web server of `make run`."""
    with running_server() as running:
        yield running


@pytest.fixture(scope="session")
def document(service: Server, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """/api/v1/openapi.json, as the running service serves it to every client."""
    path = tmp_path_factory.mktemp("document") / "openapi.json"
    address = f"http://127.0.0.1:{service.port}/api/v1/openapi.json"
    with urllib.request.urlopen(address, timeout=30) as answer:
        path.write_bytes(answer.read())
    return path


def program_of(language: str, generated: Path, service: Server, keys: dict[str, str]) -> Program:
    """A merchant's program in one language, with the client that was generated for it."""
    address = f"http://127.0.0.1:{service.port}/api/v1"
    environment = {**os.environ, **keys}
    if language == "php":
        environment |= {"GENERATED": str(generated), "GUZZLE": str(GUZZLE)}
        return Program(["php", HERE / "merchant.php", address], environment)
    environment["PYTHONPATH"] = str(generated)
    return Program([sys.executable, HERE / PROGRAMS[language], address], environment)


@pytest.fixture(scope="session", params=LANGUAGES)
def generated(
    request: pytest.FixtureRequest, document: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path]:
    """(language, folder of the client)."""
    if lacking := missing(request.param):
        pytest.skip(f"The {request.param} client is not tried: there is no {lacking}.")
    folder = tmp_path_factory.mktemp(request.param)
    said(generation(request.param, document, folder))
    return request.param, folder


@pytest.fixture
def program(
    generated: tuple[str, Path], service: Server, merchant: Merchant, transactional_db: None
) -> Program:
    """A merchant of its own, with nothing yet."""
    key, secret = issue_key(merchant, ("payout:create", "webhook:manage"))
    return program_of(*generated, service, {"API_KEY": key.public_key, "API_SECRET": secret})
