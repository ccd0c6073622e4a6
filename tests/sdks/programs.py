"""A merchant's programs in TypeScript and PHP, on the packages as people install them."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.sdks.conftest import SDKS

HERE = Path(__file__).parent
sys.path.insert(0, str(SDKS))
# A cache of its own: nothing that a machine has is needed or changed.
QUIET = ("--no-audit", "--no-fund", "--silent", "--offline")


class Program:
    """A merchant's program in one language."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self.command = command
        self.environment = environment

    def run(self, step: str, given: Any = None) -> Any:
        """What the step saw; it fails with all that the program said."""
        done = subprocess.run(
            [*self.command, step],
            input=json.dumps(given or {}),
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        [str(each) for each in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def node_tools() -> Path:
    """openapi-typescript and tsc; without npm or its registry nothing can be said."""
    from generators import typescript

    if not shutil.which("node") or not shutil.which("npm"):
        pytest.skip("The TypeScript SDK is not tried: there is no npm.")
    try:
        return typescript.tools(SDKS / "typescript")
    except subprocess.CalledProcessError as error:
        pytest.skip(f"The TypeScript SDK is not tried: npm could not install: {error}")


def packed_typescript(folder: Path) -> Path:
    """What `npm pack` makes of a clean copy."""
    modules = node_tools().parent
    source = folder / "source"
    shutil.copytree(SDKS / "typescript", source, ignore=shutil.ignore_patterns("node_modules"))
    (source / "node_modules").symlink_to(modules)
    said = run("npm", "pack", "--json", "--pack-destination", folder, cwd=source)
    (made,) = json.loads(said[said.index("[") :])
    return folder / str(made["filename"])


def installed_typescript(tarball: Path, folder: Path) -> list[str]:
    """A project of a merchant with the tarball, compiled in the strictest way."""
    folder.mkdir()
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    run("npm", "install", *QUIET, tarball, cwd=folder)
    shutil.copy(HERE / "merchant.ts", folder)
    tools = node_tools()
    options = ("--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess")
    types = ("--types", "node", "--typeRoots", tools.parent / "@types")
    run(
        *(tools / "tsc", "--module", "nodenext", "--target", "es2022", "--lib", "es2022"),
        *(*options, *types, "merchant.ts"),
        cwd=folder,
    )
    return ["node", str(folder / "merchant.js")]


def missing_for_php() -> str:
    """Debian's names of the packages that this machine lacks."""
    if not shutil.which("php"):
        return "php-cli, php-curl"
    return "" if "curl" in run("php", "-m", cwd=HERE).split() else "php-curl"


def command_of(language: str, folder: Path) -> list[str]:
    if language == "typescript":
        return installed_typescript(packed_typescript(folder), folder / "shop")
    if lacking := missing_for_php():
        pytest.skip(f"The PHP SDK is not tried: there is no {lacking}.")
    return [
        "php",
        "-d",
        "zend.assertions=1",
        "-d",
        "error_reporting=-1",
        str(HERE / "merchant.php"),
    ]


def environment_of(base: dict[str, str]) -> dict[str, str]:
    return {name: base[name] for name in base if name.startswith("PASARELA_")} | {
        "PATH": os.environ["PATH"],
        "HOME": os.environ.get("HOME", "/"),
        "AUTOLOAD": str(SDKS / "php" / "autoload.php"),
    }
