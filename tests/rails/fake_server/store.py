"""The fake's state: documents in memory, each written to SQLite before the next line runs."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Document = dict[str, Any]


class Table:
    """Documents of one kind by key, in the order in which they were first saved."""

    def __init__(self, database: sqlite3.Connection, kind: str) -> None:
        self._database = database
        self._kind = kind
        found = database.execute(
            "SELECT key, body FROM documents WHERE kind = ? ORDER BY number", (kind,)
        )
        self._rows: dict[str, Any] = {key: json.loads(body) for key, body in found}
        self._last_number = max((int(key) for key in self._rows if key.isdigit()), default=0)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, key: str) -> bool:
        return key in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._rows))

    def __getitem__(self, key: str) -> Any:
        return self._rows[key]

    def get(self, key: str, default: Any = None) -> Any:
        return self._rows.get(key, default)

    def values(self) -> list[Any]:
        return list(self._rows.values())

    def as_dict(self) -> Document:
        return dict(self._rows)

    def save(self, key: str, body: Any) -> None:
        self._rows[key] = body
        self._database.execute(
            "INSERT INTO documents (kind, key, body) VALUES (?, ?, ?)"
            " ON CONFLICT (kind, key) DO UPDATE SET body = excluded.body",
            (self._kind, key, json.dumps(body)),
        )

    def append(self, body: Any) -> str:
        """Saves under the next number and returns it."""
        self._last_number += 1
        self.save(str(self._last_number), body)
        return str(self._last_number)

    def count(self, key: str) -> int:
        """One more of `key`; returns how many there are now."""
        self.save(key, self.get(key, 0) + 1)
        return int(self._rows[key])

    def remove(self, key: str) -> None:
        self._rows.pop(key, None)
        self._database.execute(
            "DELETE FROM documents WHERE kind = ? AND key = ?", (self._kind, key)
        )

    def clear(self) -> None:
        self._rows.clear()
        self._database.execute("DELETE FROM documents WHERE kind = ?", (self._kind,))


class Store:
    """Without a path it lives in memory only.

    `synchronous = OFF`: the state outlives a kill of the process, not of the machine.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._database = sqlite3.connect(
            path or ":memory:", isolation_level=None, check_same_thread=False
        )
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = OFF")
        self._database.execute(
            "CREATE TABLE IF NOT EXISTS documents (number INTEGER PRIMARY KEY AUTOINCREMENT,"
            " kind TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (kind, key))"
        )
        self._tables: dict[str, Table] = {}

    def table(self, kind: str) -> Table:
        if kind not in self._tables:
            self._tables[kind] = Table(self._database, kind)
        return self._tables[kind]

    def tables(self) -> dict[str, Table]:
        return dict(self._tables)

    def close(self) -> None:
        self._database.close()
