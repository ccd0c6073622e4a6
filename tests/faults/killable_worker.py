"""The test's end of a worker whose children die (tests.faults.dying_worker)."""

import json
import subprocess
from typing import Any

KILLED, SETTLED = "-9", "0"


class KillableWorker:
    """Asks for one child after the other."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def order(self, point: str, count: int, **request: Any) -> str:
        """Has a child run; the code with which it ended. `request` is what it asks the API."""
        line = f"{point} {count} {json.dumps(request)}\n"
        self._process.stdin.write(line)
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()
