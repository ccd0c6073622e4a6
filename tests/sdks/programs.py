"""A merchant's programs in TypeScript and PHP, on the packages as people install them."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sdks.conftest import SDKS
from tests.sdks.stub import Stub
from tests.support.programs import Program, said

HERE = Path(__file__).parent
sys.path.insert(0, str(SDKS))
# A cache of its own: nothing that a machine has is needed or changed.
QUIET = ("--no-audit", "--no-fund", "--silent", "--offline")


def run(*command: str | Path, cwd: Path) -> str:
    return said(command, cwd=cwd)


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
    compiled(folder, "merchant.ts")
    return ["node", str(folder / "merchant.js")]


def compiled(folder: Path, *programs: str) -> None:
    """Accepted by the strictest checks of TypeScript."""
    tools = node_tools()
    options = ("--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess")
    types = ("--types", "node", "--typeRoots", tools.parent / "@types")
    run(
        *(tools / "tsc", "--module", "nodenext", "--target", "es2022", "--lib", "es2022"),
        *(*options, *types, *programs),
        cwd=folder,
    )


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


def stubbed(command: list[str], stub: Stub) -> Program:
    """Asks the stub as it would ask the service."""
    settings = {"PUBLIC_KEY": "pk_1", "SECRET_KEY": "sk_1", "URL": f"{stub.address}/"}
    return Program(
        command, environment_of({f"PASARELA_{name}": text for name, text in settings.items()})
    )


def environment_of(base: dict[str, str]) -> dict[str, str]:
    return {name: base[name] for name in base if name.startswith("PASARELA_")} | {
        "PATH": os.environ["PATH"],
        "HOME": os.environ.get("HOME", "/"),
        "AUTOLOAD": str(SDKS / "php" / "autoload.php"),
    }
