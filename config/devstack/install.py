"""Makes the virtual environment and installs one lock file into it; run by the Makefile.

It uses only the standard library, because no package is installed yet.
Usage: python config/devstack/install.py run|dev
"""

import fcntl
import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
VENV = PROJECT / ".venv"
STAMP = VENV / ".installed.json"
PYTHON = VENV / "bin" / "python"
# The locks that an installed lock includes: dev.txt has everything of run.txt, in the same
# versions.
COVERS = {"run": ("run",), "dev": ("run", "dev")}


def main() -> int:
    """Exit status 0, or 1 with a sentence on standard error."""
    name = sys.argv[1] if len(sys.argv) == 2 else ""
    if name not in COVERS:
        print(__doc__)
        return 2
    with open(PROJECT / ".venv.lock", "w") as lock:
        # `make run` and `make test` may start at the same time.
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            if not _works():
                _make()
            if not _installed(name):
                _install(name)
        except (subprocess.CalledProcessError, RuntimeError) as error:
            print(f"Set-up failed: {error}", file=sys.stderr)
            return 1
    return 0


def _works() -> bool:
    """A virtual environment breaks when its Python is moved or removed."""
    if not PYTHON.exists():
        return False
    code = "import sys, pip; sys.exit(not (3, 11) <= sys.version_info < (3, 14))"
    tried = subprocess.run([str(PYTHON), "-c", code], capture_output=True, check=False)
    return tried.returncode == 0


def _make() -> None:
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise RuntimeError(
            f"{sys.executable} came without `venv` and `ensurepip`. On Debian and Ubuntu: "
            f"apt install python{version}-venv. Or name another one: make PYTHON=/path/to/python3."
        ) from None
    print(f"Making .venv with {sys.executable} ...", flush=True)
    shutil.rmtree(VENV, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)


def _digest(name: str) -> str:
    return hashlib.sha256((PROJECT / "requirements" / f"{name}.txt").read_bytes()).hexdigest()


def _stamps() -> "dict[str, str]":
    try:
        stamps: dict[str, str] = json.loads(STAMP.read_text())
    except (FileNotFoundError, ValueError):
        return {}
    return stamps


def _installed(name: str) -> bool:
    return _stamps().get(name) == _digest(name)


def _install(name: str) -> None:
    print(f"Installing requirements/{name}.txt (once; about a minute) ...", flush=True)
    lock = PROJECT / "requirements" / f"{name}.txt"
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-input", "--require-hashes", "-r", str(lock)], check=True)
    stamps = _stamps() | {covered: _digest(covered) for covered in COVERS[name]}
    STAMP.write_text(json.dumps(stamps))


if __name__ == "__main__":
    sys.exit(main())
