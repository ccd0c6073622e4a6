"""The wheel of the Python SDK, as people install it."""

import sys
import zipfile
from pathlib import Path

import pytest

from tests.sdks.conftest import SDKS
from tests.support.programs import said


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    _run([*command, str(SDKS / "python")])
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    _run([*pip, "--target", str(folder), str(wheel)])
    return folder


def test_wheel_holds_the_package_and_its_types(wheel: Path) -> None:
    from pasarela import __version__

    assert wheel.name == f"pasarela-{__version__}-py3-none-any.whl"
    names = zipfile.ZipFile(wheel).namelist()
    assert {"pasarela/py.typed", "pasarela/types.py", "pasarela/models.py"} <= set(names)


def test_installed_wheel_is_imported(installed: Path) -> None:
    code = "import pasarela; print(pasarela.__file__, pasarela.Pasarela.__name__)"
    said = _run([sys.executable, "-c", code], PYTHONPATH=str(installed))
    assert said.split() == [str(installed / "pasarela" / "__init__.py"), "Pasarela"]


def test_types_pass_the_strictest_check() -> None:
    command = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml"]
    said = _run(command, cwd=SDKS / "python", MYPYPATH="src")
    assert "no issues found" in said


def _run(command: list[str], cwd: Path | None = None, **environment: str) -> str:
    bare = {"PATH": "/usr/bin:/bin", "HOME": str(Path.home())}
    return said(command, cwd=cwd, environment=bare | environment)
