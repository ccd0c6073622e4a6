"""`BROWSER_SLOW=1`: the pages of a poor line in front of a busy server.

A click that returns too early then finds the old page or the first half of the new one, and a test
that does not wait for what it reads fails every time, not once in a hundred runs.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from playwright.sync_api import BrowserContext, Page

IS_ON = os.environ.get("BROWSER_SLOW", "") not in ("", "0")
# Before a request is worked on, and between the two halves of each answer.
SECONDS = 0.3
TIMES_SLOWER = 2

Application = Callable[..., Iterable[bytes]]


def slow_server(application: Application) -> Application:
    """Late, and in two halves."""

    def answer(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        time.sleep(SECONDS)
        found = application(environ, start_response)
        try:
            content = b"".join(found)
        finally:
            if hasattr(found, "close"):
                found.close()
        middle = len(content) // 2
        yield content[:middle]
        time.sleep(SECONDS)
        yield content[middle:]

    return answer


def slow_pages(context: BrowserContext) -> None:
    """Their scripts and styles, too."""

    def throttle(page: Page) -> None:
        session = context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": TIMES_SLOWER})

    context.on("page", throttle)
