"""What is committed in sdks/ is what `make sdks` writes from the document of this code."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sdks.conftest import SDKS
from tests.sdks.programs import node_tools
from tests.support.programs import said

sys.path.insert(0, str(SDKS))


def packages() -> list[str]:
    from generate import LANGUAGES

    return list(LANGUAGES)


@pytest.mark.parametrize("language", packages())
def test_generated_files_are_those_of_the_document(language: str, document_file: Path) -> None:
    if language == "typescript":
        node_tools()
    command = [sys.executable, str(SDKS / "generate.py"), str(document_file), "--check"]
    said([*command, "--only", language])


def test_a_difference_is_named_with_its_remedy(document_file: Path, tmp_path: Path) -> None:
    document = json.loads(document_file.read_text())
    document["info"]["version"] = "99.0.0"
    changed = tmp_path / "openapi.json"
    changed.write_text(json.dumps(document))
    command = [sys.executable, str(SDKS / "generate.py"), str(changed), "--check"]
    command += ["--only", "python"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "sdks/python/src/pasarela/_version.py differs" in done.stdout
    assert done.stdout.endswith("run make sdks\n")


@pytest.mark.parametrize("language", packages())
def test_each_package_has_the_version_of_the_document(language: str, document_file: Path) -> None:
    version = json.loads(document_file.read_text())["info"]["version"]
    assert _version(SDKS / language) == version, "run make sdks"


def _version(folder: Path) -> str:
    """Where each ecosystem keeps it."""
    for name in ("package.json", "composer.json"):
        if (folder / name).exists():
            found: str = json.loads((folder / name).read_text())["version"]
            return found
    (match,) = re.findall(r'__version__ = "(.+)"', next(folder.rglob("_version.py")).read_text())
    return str(match)
