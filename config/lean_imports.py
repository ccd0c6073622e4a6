"""Imports less of libraries that load, for a use that the service does not make, many others."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def _missing(*names: str) -> Iterator[None]:
    """Inside, these modules cannot be imported, unless they are loaded already."""
    hidden = [name for name in names if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]  # the import system refuses it
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]


def import_rest_framework() -> None:
    """Without requests and yaml: 6 MB in each process, for its test client and a renderer.

    It does without, because both are optional to it. Who needs them later can import them.
    """
    with _missing("requests", "yaml"):
        import rest_framework.compat  # noqa: F401
