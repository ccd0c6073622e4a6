"""What a test does with a node of Bitcoin's kind, by the node's own JSON-RPC."""

import itertools
import json
import urllib.error
import urllib.request
from base64 import b64encode
from pathlib import Path

from config.devstack.process import Program, Server, spawn
from config.devstack.valkey import free_port

START_SECONDS = 60


class NodeError(Exception):
    pass


class BitcoinLike(Server):
    """Its own client, so that the service's client is judged by another."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / f"{self.name}.log")
        self.folder = folder
        self.port = free_port()
        self._ids = itertools.count(1)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    user, password = "pasarela", "una-clave-de-pruebas"

    def command(self) -> list[str]:
        raise NotImplementedError

    def environment(self) -> dict[str, str] | None:
        return None

    def start(self) -> None:
        """Also again, after stop() or kill()."""
        program = Program(command=self.command(), log=self.log, env=self.environment())
        self.process = spawn(program)
        self.wait_until_ready(
            lambda: self.ask("getblockchaininfo"), (OSError, NodeError), START_SECONDS
        )

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def ask(self, method, *params):
        body = json.dumps({"id": next(self._ids), "method": method, "params": params})
        auth = b64encode(f"{self.user}:{self.password}".encode()).decode()
        headers = {"Authorization": f"Basic {auth}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.url, body.encode(), headers)  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310
                answer = json.load(response)
        except urllib.error.HTTPError as error:
            raise NodeError(error.read().decode(errors="replace")) from None
        if answer["error"]:
            raise NodeError(answer["error"]["message"])
        return answer["result"]

    @property
    def height(self) -> int:
        return self.ask("getblockcount")

    def mine(self, blocks: int = 1) -> list[str]:
        return self.ask("generatetoaddress", blocks, self.miner)

    def reorganise(self, depth: int, *, empty: bool = False) -> None:
        """Another branch from `depth` blocks below the tip, a block longer.

        `empty`: what the old blocks had waits in the mempool afterwards.
        """
        raise NotImplementedError
