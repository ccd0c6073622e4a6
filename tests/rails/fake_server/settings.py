"""What a test may change in a running fake. Changed values survive a restart."""

from collections.abc import Mapping
from typing import Any

from tests.rails.fake_server.store import Table


class UnknownSetting(KeyError):
    """No setting has this name, or the value is not one of its variants."""


class Settings:
    """Defaults of the rail, under values that were set."""

    def __init__(
        self, table: Table, defaults: Mapping[str, Any], variants: Mapping[str, tuple[Any, ...]]
    ) -> None:
        self._table = table
        self._defaults = dict(defaults)
        self._variants = dict(variants)

    def __getitem__(self, name: str) -> Any:
        return self._table.get(name, self._defaults[name])

    def update(self, values: Mapping[str, Any]) -> None:
        """All or none."""
        for name, value in values.items():
            self._check(name, value)
        for name, value in values.items():
            self._table.save(name, value)

    def _check(self, name: str, value: Any) -> None:
        if name not in self._defaults:
            raise UnknownSetting(f"{name}: no such setting")
        if name in self._variants and value not in self._variants[name]:
            raise UnknownSetting(f"{name}: {value!r} is not one of {self._variants[name]}")

    def as_dict(self) -> dict[str, Any]:
        return self._defaults | self._table.as_dict()
