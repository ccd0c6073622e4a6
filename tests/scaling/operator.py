"""A person at the console, in a browser that goes from machine to machine."""

import json
import re
from pathlib import Path
from typing import Any

from config.devstack.demo.browser import Browser
from config.devstack.options import Options
from tests.faults.rig import wait_until

EXPORT_SECONDS = 60


class Operator:
    """The demo's operator, whose password lies in the directory where the tables were made."""

    def __init__(self, root: Path) -> None:
        self.login: dict[str, str] = json.loads((root / "demo.json").read_text())["operator"]
        self.browser = Browser()

    def log_in(self, machine: Options) -> None:
        """Password only: development asks for no second factor until one is set up."""
        page = self.browser.open(_address(machine, "login/?next=/admin/"))
        arrived = self.browser.send(page, page.form_with("password"), self.login)
        assert "login" not in arrived.url, arrived.url

    def sees(self, machine: Options, path: str) -> bool:
        """Whether the page opens without a login."""
        return "login" not in self.browser.open(_address(machine, path)).url

    def ask_for_file(self, machine: Options, pages: str) -> str:
        """Of a list that is too long to be made at once; the id of the export."""
        page = self.browser.open(_address(machine, f"{pages}/export/"))
        arrived = self.browser.send(page, page.form_with("format"), {"format": "CSV"})
        found = re.search(r"/core/export/(exp_\w+)/", arrived.url.replace("_5F", "_"))
        assert found, arrived.url
        return found[1]

    def wait_for_file(self, machine: Options, export: str) -> None:
        """Until a worker has made it."""
        wait_until(
            lambda: self.state(machine, export)["status"] == "READY",
            seconds=EXPORT_SECONDS,
            what=f"{export} ready",
        )

    def state(self, machine: Options, export: str) -> dict[str, Any]:
        """How far it is."""
        answer: dict[str, Any] = json.loads(self._of(machine, export, "state"))
        return answer

    def rows(self, machine: Options, export: str) -> int:
        """Downloads the file; how many rows stand below its header."""
        return len(self._of(machine, export, "download").splitlines()) - 1

    def _of(self, machine: Options, export: str, what: str) -> str:
        return self.browser.open(_address(machine, f"core/export/{export}/{what}/")).html


def _address(machine: Options, path: str) -> str:
    host, port = machine.local_address
    return f"http://{host}:{port}/admin/{path}"
