"""The packages of the TypeScript and PHP SDKs hold what people need, and nothing else."""

import json
import re
import shutil
import tarfile
from pathlib import Path

import pytest

from tests.sdks.conftest import SDKS
from tests.sdks.programs import QUIET, missing_for_php, packed_typescript, run

PHP = SDKS / "php"
ORDER_TYPE = "import { Pasarela } from 'pasarela'; console.log(typeof Pasarela)"


@pytest.fixture(scope="module")
def tarball(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return packed_typescript(tmp_path_factory.mktemp("packed"))


def test_tarball_holds_the_compiled_package_and_its_types(tarball: Path) -> None:
    version = json.loads((SDKS / "typescript" / "package.json").read_text())["version"]
    assert tarball.name == f"pasarela-{version}.tgz"
    with tarfile.open(tarball) as packed:
        names = set(packed.getnames())
    assert {"package/README.md", "package/dist/index.js", "package/dist/index.d.ts"} <= names
    assert not [name for name in names if "node_modules" in name or name.startswith("package/src")]


def test_tarball_needs_nothing_else_and_is_imported_and_required(
    tarball: Path, tmp_path: Path
) -> None:
    (tmp_path / "package.json").write_text('{"private": true}')
    run("npm", "install", *QUIET, tarball, cwd=tmp_path)
    assert [each.name for each in (tmp_path / "node_modules").glob("[!.]*")] == ["pasarela"]
    said = run("node", "--input-type=module", "-e", ORDER_TYPE, cwd=tmp_path)
    assert said == "function\n"
    required = "console.log(typeof require('pasarela').Pasarela)"
    assert run("node", "--no-warnings", "-e", required, cwd=tmp_path) == "function\n"


def test_lock_file_names_no_address_of_a_registry() -> None:
    lock = json.loads((SDKS / "typescript" / "package-lock.json").read_text())
    assert len(lock["packages"]) > 10
    assert [name for name, each in lock["packages"].items() if "resolved" in each] == []


def test_each_php_class_is_where_composer_looks_for_it() -> None:
    ((prefix, folder),) = json.loads((PHP / "composer.json").read_text())["autoload"][
        "psr-4"
    ].items()
    files = list((PHP / folder).rglob("*.php"))
    assert len(files) > 20
    for file in files:
        text = file.read_text()
        (namespace,) = re.findall(r"^namespace (.+);$", text, re.M)
        (name,) = re.findall(r"^(?:final |abstract )?class (\w+)", text, re.M)
        place = file.relative_to(PHP / folder).with_suffix("").as_posix().replace("/", "\\")
        assert f"{namespace}\\{name}" == prefix + place


def test_each_shape_that_php_code_names_is_generated() -> None:
    texts = [file.read_text() for file in (PHP / "src").rglob("*.php")]
    types = (PHP / "src" / "Types.php").read_text()
    made = set(re.findall(r"@phpstan-type (\w+) ", types))
    named = {name for text in texts for name in re.findall(r"import-type (\w+) from", text)}
    assert named <= made
    assert set(re.findall(r"\bApi[A-Z]\w+", types)) <= made


def test_each_php_class_imports_the_shapes_that_it_names() -> None:
    """PHPStan, which is on Packagist only, is not run here."""
    types = (PHP / "src" / "Types.php").read_text()
    shapes = set(re.findall(r"@phpstan-type (\w+) ", types))
    for file in (PHP / "src").rglob("*.php"):
        text = file.read_text()
        imported = re.findall(r"import-type (\w+) from", text)
        tags = " ".join(re.findall(r"@(?:param|return|extends|var) (.+)", text))
        named = set(re.findall(r"\b[A-Z]\w+", tags)) & shapes
        if file.name != "Types.php":
            assert named == set(imported), file.name


def test_php_files_are_php_without_warnings() -> None:
    if lacking := missing_for_php():
        pytest.skip(f"The PHP SDK is not tried: there is no {lacking}.")
    for file in PHP.rglob("*.php"):
        run("php", "-d", "error_reporting=-1", "-d", "display_errors=1", "-l", file, cwd=PHP)


@pytest.fixture
def composer() -> tuple[str, ...]:
    if lacking := missing_for_php() or ("" if shutil.which("composer") else "composer"):
        pytest.skip(f"Composer does not install the PHP SDK: there is no {lacking}.")
    return ("composer", "--no-interaction", "--quiet")


def test_composer_packs_the_package(composer: tuple[str, ...], tmp_path: Path) -> None:
    source = tmp_path / "php"
    shutil.copytree(PHP, source)
    run(*composer, "archive", "--format=tar", f"--dir={tmp_path}", cwd=source)
    (made,) = tmp_path.glob("*.tar")
    with tarfile.open(made) as packed:
        assert {"composer.json", "src/Client.php", "src/Types.php"} <= set(packed.getnames())


def test_composer_installs_the_package(composer: tuple[str, ...], tmp_path: Path) -> None:
    shop = {
        "repositories": [
            {"type": "path", "url": str(PHP), "options": {"symlink": False}},
            {"packagist.org": False},
        ],
        "require": {"pasarela/pasarela": "*"},
    }
    (tmp_path / "composer.json").write_text(json.dumps(shop))
    run(*composer, "install", cwd=tmp_path)
    code = "require 'vendor/autoload.php'; echo Pasarela\\Types::VERSION, Pasarela\\Client::class;"
    version = json.loads((PHP / "composer.json").read_text())["version"]
    assert run("php", "-r", code, cwd=tmp_path) == f"{version}Pasarela\\Client"
