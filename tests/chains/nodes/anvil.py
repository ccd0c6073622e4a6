"""anvil: a chain of Ethereum's kind that mines when it is told to. Its own accounts are rich."""

import json
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

from tests.chains.nodes.packages import npm_package

PACKAGE = "@foundry-rs/anvil-linux-amd64"
# The seed of anvil's accounts, which the whole world knows.
WORDS = "test test test test test test test test test test test junk"
CHAIN_ID = 31337
START_SECONDS = 20
HOST = "127.0.0.1"


class NodeError(Exception):
    pass


class Anvil:
    """Mines only by `mine`, unless `block_seconds` says how often. `directory` keeps its state."""

    def __init__(
        self, directory: Path, *, chain_id: int = CHAIN_ID, port: int = 0, block_seconds: int = 0
    ) -> None:
        self.program = npm_package(PACKAGE) / "bin" / "anvil"
        self.directory = directory
        self.chain_id = chain_id
        self.port = port or free_port()
        self.block_seconds = block_seconds
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    def start(self) -> None:
        self.process = subprocess.Popen(
            self.command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                self.call("eth_chainId")
            except (URLError, OSError):
                if time.monotonic() > deadline or self.process.poll() is not None:
                    self.stop()
                    raise
                time.sleep(0.02)
            else:
                return

    def command(self) -> list[str]:
        mining = ["--block-time", str(self.block_seconds)] if self.block_seconds else []
        return [
            str(self.program),
            *("--host", HOST, "--port", str(self.port), "--chain-id", str(self.chain_id)),
            *("--mnemonic", WORDS, "--silent", "--state", str(self.directory / "anvil.json")),
            *(mining or ["--no-mining"]),
        ]

    def stop(self, *, kill: bool = False) -> None:
        """It saves its state when it ends in order, and not when it is killed."""
        if self.process is None:
            return
        (self.process.kill if kill else self.process.terminate)()
        self.process.wait(timeout=60)
        self.process = None

    def call(self, method: str, *params: object) -> object:
        """Raises NodeError for an error of the node, and OSError where there is none."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        data, headers = json.dumps(body).encode(), {"Content-Type": "application/json"}
        request = Request(self.url, data, headers=headers)  # noqa: S310
        with urlopen(request, timeout=60) as response:  # noqa: S310
            answer = json.load(response)
        if "error" in answer:
            raise NodeError(answer["error"])
        return answer["result"]

    def mine(self, blocks: int = 1) -> None:
        self.call("anvil_mine", hex(blocks))

    def reorganise(self, depth: int) -> None:
        """The last blocks are mined again, without their transactions."""
        self.call("anvil_reorg", depth, [])

    @property
    def accounts(self) -> list[str]:
        found = self.call("eth_accounts")
        assert isinstance(found, list)
        return found

    @property
    def height(self) -> int:
        return int(str(self.call("eth_blockNumber")), 16)

    def send(self, to: str | None, *, value: int = 0, data: str = "0x", sender: int = 0) -> str:
        """The hash of a transaction that waits. It has its own gas, as it may be meant to fail."""
        transaction = {"from": self.accounts[sender], "value": hex(value), "data": data}
        transaction |= {"gas": hex(3_000_000)} | ({"to": to} if to else {})
        return str(self.call("eth_sendTransaction", transaction))

    def mined(self, transaction: str) -> dict[str, object]:
        """The receipt, after a block."""
        self.mine()
        receipt = self.call("eth_getTransactionReceipt", transaction)
        assert isinstance(receipt, dict)
        return receipt


@contextmanager
def running_anvil(chain_id: int = CHAIN_ID) -> Iterator[Anvil]:
    with tempfile.TemporaryDirectory() as directory:
        node = Anvil(Path(directory), chain_id=chain_id)
        node.start()
        try:
            yield node
        finally:
            node.stop(kill=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
