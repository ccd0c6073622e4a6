"""Where the programs of the nodes are. A test without its program is skipped, and says why."""

import shutil
from pathlib import Path

import pytest

from config.devstack.chains import install


def npm_package(name: str) -> Path:
    """The folder of an installed package of package.json."""
    folder = install.MODULES / name
    if not (install.is_installed() and folder.is_dir()):
        pytest.skip(f"npm's package {name} is not installed: run `make nodes`, which needs npm.")
    return folder


def program(name: str, *, package: str) -> str:
    """A program on PATH, of a package of Debian."""
    if (found := shutil.which(name)) is None:
        pytest.skip(f"No {name}: install Debian's package {package}.")
    return found
