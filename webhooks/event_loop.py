"""The event loop that the pump's sends run on: uvloop's, where there is one, else Python's own.

A send costs less of the processor's time there; nothing else may depend on which one it is.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

new_event_loop: Callable[[], asyncio.AbstractEventLoop]
try:
    from uvloop import new_event_loop
except ImportError:  # Windows, PyPy, a platform without a wheel
    from asyncio import new_event_loop

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """As `asyncio.run`."""
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(work)
