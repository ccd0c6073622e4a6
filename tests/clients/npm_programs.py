"""The programs of npm/package.json, installed into .cache once for each lock.

No script of a package runs. Without npm or its registry the tests that need them are skipped.
"""

import fcntl
import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from config.devstack.options import PROJECT

HERE = Path(__file__).with_name("npm")
TARGET = PROJECT / ".cache" / "clients"
STAMP = TARGET / "installed"
FILES = ("package.json", "package-lock.json")


def program(name: str) -> Path:
    """Its path. Skips the test, and says why, if it cannot be installed."""
    if not shutil.which("npm"):
        pytest.skip(f"{name} is not tried: there is no npm.")
    TARGET.mkdir(parents=True, exist_ok=True)
    with open(TARGET / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not STAMP.exists() or STAMP.read_text() != _digest():
            _install(name)
    return modules() / ".bin" / name


def modules() -> Path:
    return TARGET / "node_modules"


def _install(name: str) -> None:
    for each in FILES:
        shutil.copyfile(HERE / each, TARGET / each)
    quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    command = ["npm", "ci", *quiet]
    done = subprocess.run(command, cwd=TARGET, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"{name} is not tried: npm failed: {done.stderr}")
    STAMP.write_text(_digest())


def _digest() -> str:
    return hashlib.sha256(b"".join((HERE / name).read_bytes() for name in FILES)).hexdigest()
