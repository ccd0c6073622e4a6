"""Which nodes run, and where."""

import shutil

from config.devstack.chains import install
from config.devstack.chains.anvil import PROGRAM, AnvilServer
from config.devstack.chains.bcoin import BcoinServer
from config.devstack.defaults import read_state, usual_port, write_state
from config.devstack.options import Options
from config.devstack.process import StackError
from config.devstack.valkey import free_port

# After the ports of the fake rails.
PORT_OFFSET = 10


def refuse_missing_programs(options: Options) -> None:
    """Raises StackError, before anything is started."""
    if options.has_local_chains and (missing := _missing()):
        raise StackError(f"CHAINS=local {missing}")


def _missing() -> str:
    """Ends a sentence, or empty."""
    if shutil.which("node") is None:
        return "needs Node.js and npm. On Debian and Ubuntu: apt install npm"
    if not install.is_installed():
        return "needs programs of npm. Run `make nodes`, which says what is missing."
    if not PROGRAM.exists():
        return "needs anvil, which is installed here only for Linux on x86-64."
    return ""


def chain_servers(options: Options) -> list[AnvilServer | BcoinServer]:
    """On the ports of the last start if they are free. Empty without CHAINS."""
    servers: list[AnvilServer | BcoinServer] = []
    if options.has_local_chains:
        first = usual_port(options.data_dir) + PORT_OFFSET
        servers = [
            AnvilServer(options, free_port(first)),
            BcoinServer(options, free_port(first + 1)),
        ]
    write_state(options.data_dir, chains={each.name: each.url for each in servers})
    return servers


def running_chains(options: Options) -> dict[str, str]:
    """Addresses by name."""
    chains: dict[str, str] = read_state(options.data_dir).get("chains", {})
    return chains
