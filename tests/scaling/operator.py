"""A person at the console, in a browser that goes from machine to machine."""

import json
import re
from pathlib import Path
from typing import Any

from config.devstack.demo.browser import Browser, Page
from config.devstack.options import Options
from tests.support.console_login import code
from tests.support.live_service import wait_until

EXPORT_SECONDS = 60


class Operator:
    """The demo's operator, whose password lies in the directory where the tables were made."""

    def __init__(self, root: Path) -> None:
        self.login: dict[str, str] = json.loads((root / "demo.json").read_text())["operator"]
        self.browser = Browser()

    def log_in(
        self, machine: Options, code_of: bytes = b"", code_at: Options | None = None
    ) -> None:
        """With the password, and with a code of the device with this key if there is one."""
        page = self.browser.open(_address(machine, "login/?next=/admin/"))
        arrived = self.browser.send(page, page.form_with("password"), self.login)
        if code_of:
            assert not self.sees(machine, ""), "opened without the second factor"
            page = self.browser.open(_address(code_at or machine, "code/?next=/admin/"))
            arrived = self.browser.send(page, page.form_with("code"), {"code": code(code_of)})
        assert not _is_outside(arrived), arrived.url

    def sees(self, machine: Options, path: str) -> bool:
        """Whether the page opens as it is."""
        return not _is_outside(self.browser.open(_address(machine, path)))

    def ask_for_file(self, machine: Options, pages: str) -> str:
        """Of a list that is too long to be made at once; the id of the export."""
        page = self.browser.open(_address(machine, f"{pages}/export/"))
        arrived = self.browser.send(page, page.form_with("format"), {"format": "CSV"})
        found = re.search(r"/console/export/(exp_\w+)/", arrived.url.replace("_5F", "_"))
        assert found, arrived.url
        return found[1]

    def rows_now(self, machine: Options, pages: str) -> int:
        """Of a short list, whose file is the answer itself."""
        page = self.browser.open(_address(machine, f"{pages}/export/"))
        file = self.browser.send(page, page.form_with("format"), {"format": "CSV"})
        return len(file.html.splitlines()) - 1

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
        return self.browser.open(_address(machine, f"console/export/{export}/{what}/")).html


def _is_outside(page: Page) -> bool:
    return any(f"/admin/{door}/" in page.url for door in ("login", "code", "device"))


def _address(machine: Options, path: str) -> str:
    host, port = machine.local_address
    return f"http://{host}:{port}/admin/{path}"
