"""Files of what is dropped: CSV with a header, compressed with gzip, and a manifest beside each."""

import gzip
import hashlib
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.db import connection, transaction

_CHUNK = 1 << 20


def write(path: Path, source: str, condition: str = "true", params: object = None) -> int:
    """Writes the rows of `source` in the order of their ids, and reads the file back.

    Returns how many rows. A file of that name is replaced. Raises OSError when the file cannot be
    written, or is not as it was written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.part")
    digest = hashlib.sha256()
    try:
        with open(unfinished, "wb") as raw:
            with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as file:
                rows = _copy(source, condition, params, digest, file)
            raw.flush()
            os.fsync(raw.fileno())
        if _digest_of(unfinished) != digest.hexdigest():
            raise OSError(f"{path.name} is not as it was written.")
        manifest = {"source": source, "rows": rows, "sha256": digest.hexdigest()}
        _manifest(path).write_text(json.dumps(manifest) + "\n")
        os.replace(unfinished, path)
        _sync_directory(path.parent)
    finally:
        with suppress(FileNotFoundError):
            unfinished.unlink()
    return rows


def is_complete(path: Path, source: str) -> bool:
    """Whether the file has the rows of `source`, as they are now."""
    try:
        manifest = json.loads(_manifest(path).read_text())
        written = _digest_of(path)
    except (OSError, EOFError, ValueError):
        return False
    digest = hashlib.sha256()
    _copy(source, "true", None, digest)
    return bool(manifest["sha256"] == written == digest.hexdigest())


def _manifest(path: Path) -> Path:
    return path.with_name(path.name.replace(".csv.gz", ".json"))


def _copy(source: str, condition: str, params: object, digest: Any, file: Any = None) -> int:
    query = f"SELECT * FROM {source} h WHERE {condition} ORDER BY id"
    statement = f"COPY ({query}) TO STDOUT WITH (FORMAT csv, HEADER)"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 0")
        # The digest must not depend on the session.
        cursor.execute("SET LOCAL timezone = 'UTC'")
        with connection.wrap_database_errors, cursor.copy(statement, params) as copy:
            for block in copy:
                digest.update(block)
                if file is not None:
                    file.write(block)
        return int(cursor.rowcount)


def _digest_of(path: Path) -> str:
    digest = hashlib.sha256()
    with gzip.open(path) as file:
        for block in _blocks(file):
            digest.update(block)
    return digest.hexdigest()


def _blocks(file: Any) -> Iterable[bytes]:
    return iter(lambda: file.read(_CHUNK), b"")


def _sync_directory(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
