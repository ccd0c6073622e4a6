"""A chain of Bitcoin's kind (regtest) beside the service."""

import os
import shutil
from pathlib import Path

from config.devstack.chains import BLOCK_SECONDS
from config.devstack.chains.install import MODULES
from config.devstack.chains.jsonrpc import ChainError, ask
from config.devstack.options import Options
from config.devstack.process import Program, Server, spawn, sweep

HOST = "127.0.0.1"
# It reads all its blocks again at each start.
START_SECONDS = 120
# Listens on the loopback only, with play money.
USER, PASSWORD = "pasarela", "clave-de-make-run"
PACKAGE = "bcoin"


class BcoinServer(Server):
    """Its chain survives restarts in DATA_DIR. bcoin.js is a miner with a wallet, too."""

    name = title = "bcoin"

    def __init__(self, options: Options, port: int) -> None:
        super().__init__(options.logs / f"{self.name}.log")
        self.blocks = options.data_dir / "bcoin.blocks"
        self.port = port

    @property
    def url(self) -> str:
        return f"http://{USER}:{PASSWORD}@{HOST}:{self.port}"

    def start(self) -> None:
        """Waits until it responds."""
        if self.process is not None:
            sweep(self.process)
        start = str(Path(__file__).with_suffix(".js"))
        values = [str(self.port), PASSWORD, str(self.blocks), str(BLOCK_SECONDS)]
        command = [shutil.which("node") or "node", start, *values]
        # Its faster backend would have to be compiled.
        env = {**os.environ, "NODE_BACKEND": "js", "NODE_PATH": str(MODULES)}
        self.process = spawn(Program(command=command, log=self.log, env=env))
        refused = (OSError, ChainError)
        self.wait_until_ready(lambda: ask(self.url, "getblockcount"), refused, START_SECONDS)
