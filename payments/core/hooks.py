"""Functions of apps above, which an app below calls without importing them."""

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from django.utils.module_loading import import_string

F = TypeVar("F", bound=Callable[..., Any])


class Hook(Generic[F]):
    """Functions by their dotted paths, in the order of adding.

    They are imported when they are called for the first time: a process that never calls them needs
    no memory for their services.
    """

    def __init__(self) -> None:
        self._paths: list[str] = []

    def add(self, path: str) -> None:
        """For `ready()` of an app, which may run again in a test."""
        if path not in self._paths:
            self._paths.append(path)

    def __iter__(self) -> Iterator[F]:
        return map(import_string, self._paths)
