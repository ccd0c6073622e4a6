"""Installs the programs of package.json into .cache/nodes, once for each lock; run by the Makefile.

It uses only the standard library. No script of a package runs. Without npm, or if npm fails, it
says so and ends with 0: the tests of chains are skipped then, and CHAINS=local is refused.
"""

import fcntl
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE.parents[2] / ".cache" / "nodes"
MODULES = TARGET / "node_modules"
STAMP = TARGET / "installed"
FILES = ("package.json", "package-lock.json")
# bcoin loads this store, which would have to be compiled, even where it keeps all in memory.
STUB = "module.exports = function () { throw new Error('leveldown is not compiled'); };\n"


def main() -> int:
    if is_installed():
        return 0
    if (npm := shutil.which("npm")) is None:
        why = "WARNING: no npm, so no anvil and no bcoin. On Debian and Ubuntu: apt install npm"
        print(why, file=sys.stderr)
        return 0
    TARGET.mkdir(parents=True, exist_ok=True)
    with open(TARGET / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_installed():
            _install(npm)
    return 0


def is_installed() -> bool:
    return STAMP.exists() and STAMP.read_text() == _digest()


def _install(npm: str) -> None:
    print("Installing anvil and bcoin (once) ...", flush=True)
    for name in FILES:
        shutil.copyfile(HERE / name, TARGET / name)
    quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    done = subprocess.run([npm, "ci", *quiet], cwd=TARGET, check=False)
    if done.returncode:
        print("WARNING: npm failed, so there is no anvil and no bcoin.", file=sys.stderr)
        return
    (MODULES / "leveldown" / "leveldown.js").write_text(STUB)
    STAMP.write_text(_digest())


def _digest() -> str:
    return hashlib.sha256(b"".join((HERE / name).read_bytes() for name in FILES)).hexdigest()


if __name__ == "__main__":
    sys.exit(main())
