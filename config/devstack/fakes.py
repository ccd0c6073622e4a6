"""Fake servers of real rails beside the service: `make run RAILS=fake`."""

import socket
import sys
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlunsplit

from config.devstack.defaults import read_state, usual_port, write_state
from config.devstack.options import PROJECT, Options
from config.devstack.process import Program, Server, spawn, sweep
from config.devstack.valkey import free_port

HOST = "127.0.0.1"
START_SECONDS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Fake:
    """
    account      the slug of the provider account that is entered for it.
    module       of tests.rails, which images do not have.
    path         of the rail's address.
    credentials  of the account; `settings` makes the fake expect the same.
    """

    account: str
    provider: str
    label: str
    module: str
    product: str
    path: str
    credentials: Mapping[str, str]
    settings: Mapping[str, str]


_WOMPI = {
    "public_key": "pub_test_makerun0123456789",
    "private_key": "prv_test_makerun0123456789",
    "integrity_secret": "test_integrity_makerun0123456789",
    "events_secret": "test_events_makerun0123456789",
}
_PAYOUTS = {
    "api_key": "makerun-api-key",
    "user_principal_id": str(uuid.uuid5(uuid.NAMESPACE_DNS, "makerun.wompi-payouts.example")),
    # The only account of the fake.
    "account_id": str(uuid.uuid5(uuid.NAMESPACE_DNS, "account.wompi-payouts.example")),
    "email": "pagos@cafe-andino.example",
    "events_secret": "test_events_makerunPAYOUTS0123456789",
}
FAKES = (
    Fake(
        account="wompi-fake",
        provider="wompi",
        label="Wompi (fake)",
        module="wompi",
        product="payin",
        path="/v1",
        credentials=_WOMPI,
        # The payer decides on the bank's page, as in production.
        settings={
            **_WOMPI,
            "pse_resolution": "payer",
            "qr_resolution": "payer",
            "nequi_other_number": "APPROVED",
        },
    ),
    Fake(
        account="wompi-payouts-fake",
        provider="wompi-payouts",
        label="Wompi Pagos a Terceros (fake)",
        module="wompi_payouts",
        product="payout",
        path="",
        credentials=_PAYOUTS,
        settings={
            "api_key": _PAYOUTS["api_key"],
            "principal_id": _PAYOUTS["user_principal_id"],
            "events_secret": _PAYOUTS["events_secret"],
        },
    ),
)


class FakeServer(Server):
    """Its state survives restarts in DATA_DIR. It sends events to the callback of its account."""

    grace_seconds = 5.0

    def __init__(self, fake: Fake, options: Options, ports: tuple[int, int]) -> None:
        self.name = self.title = fake.account
        super().__init__(options.logs / f"{self.name}.log")
        self.fake = fake
        self.options = options
        self.port, self.control_port = ports

    def start(self) -> None:
        """Waits until it responds."""
        if self.process is not None:
            sweep(self.process)
        self.process = spawn(Program(command=self._command(), log=self.log, cwd=PROJECT))
        self.wait_until_ready(self._connect, OSError, START_SECONDS)

    @property
    def addresses(self) -> dict[str, str]:
        """Of the rail, as the account has it, and of the page with what the fake saw."""
        return {
            "rail": f"http://{HOST}:{self.port}{self.fake.path}",
            "control": f"http://{HOST}:{self.control_port}/_control/state",
        }

    def _command(self) -> list[str]:
        host, port = self.options.local_address
        callback = f"/callbacks/{self.fake.product}/{self.fake.account}"
        events_url = urlunsplit(("http", f"{host}:{port}", callback, "", ""))
        settings = {**self.fake.settings, "events_url": events_url}
        return [
            *(sys.executable, "-m", f"tests.rails.{self.fake.module}"),
            f"--port={self.port}",
            f"--control-port={self.control_port}",
            f"--state-file={self.options.data_dir / self.name}.sqlite3",
            *(f"--set={name}={value}" for name, value in settings.items()),
        ]

    def _connect(self) -> None:
        socket.create_connection((HOST, self.control_port), timeout=2).close()


def fake_servers(options: Options) -> list[FakeServer]:
    """In starting order, on the ports of the last start if they are free. Empty without RAILS."""
    first = usual_port(options.data_dir) + 1
    ports = [free_port(first + number) for number in range(2 * len(FAKES))]
    servers = [
        FakeServer(fake, options, (ports[2 * number], ports[2 * number + 1]))
        for number, fake in enumerate(FAKES if options.has_fake_rails else ())
    ]
    write_state(options.data_dir, fakes={each.name: each.addresses for each in servers})
    return servers


def running_fakes(options: Options) -> dict[str, dict[str, str]]:
    """Addresses by account."""
    fakes: dict[str, dict[str, str]] = read_state(options.data_dir).get("fakes", {})
    return fakes
