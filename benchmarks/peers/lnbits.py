"""LNbits, a published service that creates invoices, on a database of the same server.

Installed once by pip into an environment of its own below .cache/, never into the service's.
"""

import http.client
import json
import re
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from benchmarks import messages
from benchmarks.client import Address, BadAnswer, ask
from benchmarks.machine import Machine, clean_environment, wait_until
from benchmarks.rounds import Endpoint
from config.devstack.options import PROJECT
from config.devstack.process import tail
from config.devstack.valkey import free_port

VERSION = "1.6.2"
PLACE = PROJECT / ".cache" / f"lnbits-{VERSION}"
# It names no upper bound, and does not start with the newest.
BOUNDS = ("bitstring<5",)
# The versions of Python that its dependencies have wheels for.
PYTHONS = ("3.12", "3.11", "3.10")
READ_INVOICES = 200
INSTALL_SECONDS, START_SECONDS = 600, 90


@dataclass(frozen=True, slots=True)
class Peer:
    """What answers, by the request of ours that it is compared with; or why nothing does."""

    endpoints: dict[str, Endpoint] = field(default_factory=dict)
    version: str = ""
    problem: str = ""


def start(machine: Machine) -> Peer:
    """Never raises: without the peer the rest of the benchmark goes on."""
    try:
        return _start(machine, _installed())
    except (OSError, RuntimeError, subprocess.SubprocessError, BadAnswer, ValueError) as error:
        print(f"LNbits: {error!r}", file=sys.stderr, flush=True)
        reason = (str(error).strip() or repr(error)).splitlines()[-1]
        return Peer(problem=reason[:80])


def _start(machine: Machine, program: Path) -> Peer:
    address = ("127.0.0.1", free_port())
    folder = machine.options.data_dir / "lnbits"
    folder.mkdir(exist_ok=True)
    # It looks for its own files below the current directory.
    (home,) = PLACE.glob("lib/python3.*/site-packages")
    environment = _environment(machine, address, folder)
    process = machine.start("lnbits", [str(program)], environment, cwd=home)

    def answers() -> bool:
        if process.poll() is not None:
            raise RuntimeError(f"did not start: {tail(machine.log('lnbits'), 3)}")
        with suppress(OSError, http.client.HTTPException, BadAnswer):
            ask(address, messages.request("GET", "/api/v1/health", {})(0))
            return True
        return False

    wait_until(answers, seconds=START_SECONDS, what="LNbits answers")
    return Peer(endpoints=_endpoints(machine, address, process), version=f"LNbits {VERSION}")


def _environment(machine: Machine, address: Address, folder: Path) -> dict[str, str]:
    """As its own documentation says, with nothing that would hold a client up."""
    machine.create_database("lnbits")
    sockets = quote(str(machine.postgres.paths.sockets), safe="/")
    return clean_environment() | {
        "HOST": address[0],
        "PORT": str(address[1]),
        "LNBITS_DATABASE_URL": f"postgres://postgres@/lnbits?host={sockets}",
        "LNBITS_DATA_FOLDER": str(folder),
        "LNBITS_EXTENSIONS_PATH": str(folder),
        "LNBITS_BACKEND_WALLET_CLASS": "FakeWallet",
        "FAKE_WALLET_SECRET": secrets.token_hex(16),
        "AUTH_SECRET_KEY": secrets.token_hex(32),
        "LNBITS_ALLOW_NEW_ACCOUNTS": "true",
        "LNBITS_RATE_LIMIT_NO": "1000000",
        "LNBITS_RATE_LIMIT_UNIT": "second",
        "LNBITS_ADMIN_UI": "false",
        "LNBITS_PRICE_AGGREGATOR_ENABLED": "false",
        "LNBITS_EXTENSIONS_DEACTIVATE_ALL": "true",
        "DEBUG": "false",
        "LOG_LEVEL": "WARNING",
        "ENABLE_LOG_TO_FILE": "false",
        "PYTHONUNBUFFERED": "1",
    }


def _endpoints(
    machine: Machine, address: Address, process: subprocess.Popen[bytes]
) -> dict[str, Endpoint]:
    account = messages.request("POST", "/api/v1/account", {}, {"name": "Café Andino"})
    key = {"X-Api-Key": json.loads(ask(address, account(0)))["inkey"]}
    with machine.connect("lnbits") as connection:
        # With a currency every invoice asks the network for rates, and waits where there is none.
        connection.execute("UPDATE wallets SET currency = NULL")
    body = {"out": False, "amount": 50, "memo": f"PEDIDO-{messages.NUMBER}"}
    create = messages.request("POST", "/api/v1/payments", key, body)
    made = [json.loads(ask(address, create(number))) for number in range(READ_INVOICES)]
    paths = [f"/api/v1/payments/{invoice['payment_hash']}" for invoice in made]
    reads = messages.in_turn([messages.request("GET", path, key) for path in paths])
    return {
        "POST /collect": Endpoint(address, create, process.pid),
        "GET /collect/{id}": Endpoint(address, reads, process.pid),
    }


def _installed() -> Path:
    # Last of all, so that an installation that was interrupted begins again.
    stamp = PLACE / "installed"
    if not stamp.exists():
        _install()
        stamp.touch()
    return PLACE / "bin" / "lnbits"


def _install() -> None:
    python = next(_pythons(), None)
    if python is None:
        raise RuntimeError(f"no Python {', '.join(PYTHONS)} was found")
    print(f"Installing LNbits {VERSION} with {python} (once) ...", file=sys.stderr, flush=True)
    shutil.rmtree(PLACE, ignore_errors=True)
    subprocess.run([python, "-m", "venv", str(PLACE)], check=True, capture_output=True)
    pip = [str(PLACE / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-input"]
    done = subprocess.run(
        [*pip, f"lnbits=={VERSION}", *BOUNDS],
        capture_output=True,
        text=True,
        timeout=INSTALL_SECONDS,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"pip could not install it: {done.stderr[-200:]}")


def _pythons() -> Iterator[str]:
    """Those of the right version that can make an environment; ours among them."""
    names = [sys.executable, *(f"python{version}" for version in PYTHONS)]
    kept = Path.home() / ".pyenv" / "versions"
    names += [str(kept / name / "bin" / "python") for name in _versions(kept)]
    for name in names:
        code = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
        with suppress(OSError):
            tried = subprocess.run([name, "-c", code], capture_output=True, text=True, check=False)
            if tried.stdout.strip() in PYTHONS:
                yield name


def _versions(kept: Path) -> list[str]:
    found = [place.name for place in kept.glob("3.*") if re.fullmatch(r"[\d.]+", place.name)]
    return sorted(found, reverse=True)
