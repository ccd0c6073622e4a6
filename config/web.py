"""`python -m config.web --threads=4 [options of granian] APPLICATION`: starts granian.

It replaces this process by granian, with the options that are the same everywhere.
docs/decisions/0010 and 0011 have the reasons.
"""

import os
import sys
from pathlib import Path

GRANIAN = Path(sys.executable).parent / "granian"
ALWAYS = [
    "--interface=rsgi",
    "--loop=uvloop",
    # With HTTP/2, a client that disconnects within a body keeps a core busy for ever.
    "--http=1",
    # Connections without a complete header are closed after five seconds. Until then there is room
    # for thousands of them. A header may be as long as its buffer.
    "--http1-header-read-timeout=5000",
    "--http1-buffer-size=65536",
    "--backpressure=8192",
    "--backlog=4096",
    "--no-ws",
]
THREADS = "--threads="


def main(arguments: list[str]) -> None:
    """Replaces this process, so that the server receives its signals."""
    threads = [word.removeprefix(THREADS) for word in arguments if word.startswith(THREADS)]
    if threads:
        os.environ["WEB_THREADS"] = threads[-1]
    given = [word for word in arguments if not word.startswith(THREADS)]
    os.execv(GRANIAN, [str(GRANIAN), *ALWAYS, *given])  # noqa: S606


if __name__ == "__main__":
    main(sys.argv[1:])
