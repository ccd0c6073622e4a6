"""A chain of Ethereum's kind beside the service: `make run CHAINS=local`."""

import json
import urllib.request
from typing import Any

from config.devstack.defaults import read_state, usual_port, write_state
from config.devstack.options import NODES, Options
from config.devstack.process import Program, Server, spawn, sweep
from config.devstack.valkey import free_port

HOST = "127.0.0.1"
START_SECONDS = 20
# After the ports of the fake rails.
PORT_OFFSET = 10
BLOCK_SECONDS = 3
CHAIN_ID = 31337
ANVIL = NODES / "@foundry-rs" / "anvil-linux-amd64" / "bin" / "anvil"


class ChainError(Exception):
    """The node refused what it was asked."""


class AnvilServer(Server):
    """Its chain survives restarts in DATA_DIR. It mines a block every few seconds."""

    name = title = "anvil"

    def __init__(self, options: Options) -> None:
        super().__init__(options.logs / f"{self.name}.log")
        self.state = options.data_dir / "anvil.json"
        self.port = free_port(usual_port(options.data_dir) + PORT_OFFSET)

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    def start(self) -> None:
        """Waits until it responds."""
        if self.process is not None:
            sweep(self.process)
        command = [
            *(str(ANVIL), "--host", HOST, "--port", str(self.port), "--quiet"),
            *("--chain-id", str(CHAIN_ID), "--block-time", str(BLOCK_SECONDS)),
            *("--state", str(self.state), "--state-interval", "10"),
        ]
        self.process = spawn(Program(command=command, log=self.log))
        self.wait_until_ready(lambda: ask(self.url, "eth_chainId"), OSError, START_SECONDS)


def chain_servers(options: Options) -> list[AnvilServer]:
    """Empty without CHAINS."""
    servers = [AnvilServer(options)] if options.has_local_chains else []
    write_state(options.data_dir, chains={each.name: each.url for each in servers})
    return servers


def running_chains(options: Options) -> dict[str, str]:
    """Addresses by name."""
    chains: dict[str, str] = read_state(options.data_dir).get("chains", {})
    return chains


def ask(url: str, method: str, *params: object) -> Any:
    """Raises OSError without a node, and ChainError for its refusal."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(url, body.encode(), headers)
    with urllib.request.urlopen(request, timeout=10) as response:
        answer = json.load(response)
    if "error" in answer:
        raise ChainError(answer["error"])
    return answer["result"]
