"""The event loop of the dispatcher: uvloop's, which needs less processor time, or Python's."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import TypeVar

new_event_loop: Callable[[], asyncio.AbstractEventLoop]
try:
    from uvloop import new_event_loop
except ImportError:  # uvloop has no wheel for Windows or PyPy
    from asyncio import new_event_loop

T = TypeVar("T")


def run(work: Coroutine[object, None, T]) -> T:
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(work)
