"""Defaults of the settings for database, Redis and keys on a bare machine.

Standard library only: settings import this before Django is loaded.
"""

import base64
import json
import os
import secrets
import tempfile
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import quote

DATABASE = "pasarela"
# Below the ephemeral ports of Linux, so that the port is free at the next start.
FIRST_PORT, PORT_COUNT = 20000, 12000


def database_url(data_dir: Path) -> str:
    """The URL of a Unix socket."""
    sockets = read_state(data_dir).get("sockets") or str(data_dir / "run")
    return f"postgresql://postgres@/{DATABASE}?host={quote(str(sockets), safe='/')}"


def redis_url(data_dir: Path) -> str:
    """TCP on the loopback with a password, which redis-py, Celery and Django accept."""
    state = read_state(data_dir)
    password = quote(state.get("redis_password") or "", safe="")
    login = f":{password}@" if password else ""
    return f"redis://{login}127.0.0.1:{state.get('redis_port') or usual_port(data_dir)}/0"


def usual_port(data_dir: Path) -> int:
    """The port that this directory always gets, so that two checkouts rarely collide."""
    return FIRST_PORT + zlib.crc32(str(data_dir).encode()) % PORT_COUNT


def development_keys(data_dir: Path) -> dict[str, str]:
    """SECRET_KEY and ENCRYPTION_KEYS (one Fernet key), generated once and kept in keys.json.

    Without the file, secrets that were encrypted in this DATA_DIR cannot be read.
    """
    path = data_dir / "keys.json"
    if not path.exists():
        make_data_dir(data_dir)
        keys = {
            "SECRET_KEY": secrets.token_urlsafe(50),
            "ENCRYPTION_KEYS": base64.urlsafe_b64encode(os.urandom(32)).decode(),
        }
        write_private(path, keys, replace=False)
    stored: dict[str, str] = json.loads(path.read_text())
    return stored


def make_data_dir(data_dir: Path) -> None:
    """Root's directory can be entered, but not listed, because PostgreSQL runs as `nobody`."""
    if not data_dir.exists():
        data_dir.mkdir(parents=True, exist_ok=True)
        data_dir.chmod(0o711 if os.geteuid() == 0 else 0o700)


def read_state(data_dir: Path) -> dict[str, Any]:
    """Paths and ports of the last start. Empty before the first one."""
    try:
        state: dict[str, Any] = json.loads((data_dir / "stack.json").read_text())
    except FileNotFoundError:
        return {}
    return state


def write_state(data_dir: Path, **values: object) -> None:
    write_private(data_dir / "stack.json", {**read_state(data_dir), **values}, replace=True)


def write_private(path: Path, value: object, *, replace: bool) -> None:
    """A JSON file for its owner only. Without `replace` the first of several writers wins."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w") as file:
            json.dump(value, file, indent=2)
        if replace:
            os.replace(name, path)
        else:
            # A link fails if the name exists. A rename would overwrite the keys of the first
            # writer.
            os.link(name, path)
    except FileExistsError:
        pass
    finally:
        Path(name).unlink(missing_ok=True)
