"""The event loop of the dispatcher: uvloop's where there is one, because a send costs less
processor time there, else Python's.
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
