"""Threads that act at the same instant, each on a connection of its own."""

import threading
from collections.abc import Callable, Sequence

from django.db import connections


def run_concurrently(acts: Sequence[Callable[[], object]]) -> list[object]:
    """Runs each act in a thread behind one barrier; returns results or exceptions, in order."""
    barrier = threading.Barrier(len(acts))
    results: list[object] = [None] * len(acts)

    def run(index: int, act: Callable[[], object]) -> None:
        try:
            barrier.wait(timeout=30)
            results[index] = act()
        except Exception as error:
            results[index] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
