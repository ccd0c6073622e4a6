"""How many connections and files a process may hold open."""

import contextlib
import resource


def raise_descriptor_limit() -> None:
    """To what the machine allows: shells and containers often begin with 1,024.

    A web worker needs one for each connection. Clients that open a thousand and say nothing must
    not use up what the others need.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # no limit, or one that the kernel refuses
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
