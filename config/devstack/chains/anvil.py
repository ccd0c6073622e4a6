"""A chain of Ethereum's kind beside the service."""

from config.devstack.chains import BLOCK_SECONDS
from config.devstack.chains.install import MODULES
from config.devstack.chains.jsonrpc import ask
from config.devstack.options import Options
from config.devstack.process import Program, Server, spawn, sweep

HOST = "127.0.0.1"
START_SECONDS = 20
CHAIN_ID = 31337
PACKAGE = "@foundry-rs/anvil-linux-amd64"
PROGRAM = MODULES / PACKAGE / "bin" / "anvil"


class AnvilServer(Server):
    """Its chain survives restarts in DATA_DIR. It mines a block every few seconds."""

    name = title = "anvil"

    def __init__(self, options: Options, port: int) -> None:
        super().__init__(options.logs / f"{self.name}.log")
        self.state = options.data_dir / "anvil.json"
        self.port = port

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    def start(self) -> None:
        """Waits until it responds."""
        if self.process is not None:
            sweep(self.process)
        command = [
            *(str(PROGRAM), "--host", HOST, "--port", str(self.port), "--quiet"),
            *("--chain-id", str(CHAIN_ID), "--block-time", str(BLOCK_SECONDS)),
            *("--state", str(self.state), "--state-interval", "10"),
        ]
        self.process = spawn(Program(command=command, log=self.log))
        self.wait_until_ready(lambda: ask(self.url, "eth_chainId"), OSError, START_SECONDS)
