"""Links, files, tests, modules, commands and settings that the documents name exist."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from config.devstack.options import PROJECT
from payments.core.products import products

# The changelog names files as they were at its time.
DOCUMENTS = [*PROJECT.glob("[!C]*.md"), PROJECT / "CONTRIBUTING.md"]
for _folder in ("docs", "examples", "deploy"):
    DOCUMENTS += (PROJECT / _folder).rglob("*.md")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_SPAN = re.compile(r"`([^`\s]+)`")
_FILE = re.compile(r"[\w./*-]+/(?:[\w.*-]+\.(?:py|md|txt|html|css|js|json|yaml|toml|patch|sh|in))?")
_MODULE = re.compile(
    r"((?:config|payments|merchants|webhooks|tests|benchmarks)(?:\.[A-Za-z_]\w*)+)\b"
)
_COMMAND = re.compile(r"manage\.py ([a-z_]+)([^`|#\n]*)")
_OPTION = re.compile(r"--[a-z][a-z-]+")
_SETTING = re.compile(r"`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`")
_PRODUCT = ("config", "payments", "merchants", "webhooks")
_CODE = {".py", ".yaml", ".sh", ".ini", ".txt", ".in", ".html", ".js", ".mjs", ".php"}
_TEST = re.compile(r"(\w+)::(test_\w+)")


@cache
def headings(document: Path) -> set[str]:
    """Of a document, as GitHub makes anchors of them."""
    found = re.findall(r"^#+ (.+)$", document.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in found}


@cache
def suite() -> set[tuple[str, str]]:
    """(module, test) and (class, test) of the whole suite."""
    found = set()
    for path in (PROJECT / "tests").rglob("*.py"):
        tree = ast.parse(path.read_text())
        scopes = [(path.stem, tree.body)]
        scopes += [(node.name, node.body) for node in tree.body if isinstance(node, ast.ClassDef)]
        for scope, body in scopes:
            found |= {(scope, node.name) for node in body if isinstance(node, ast.FunctionDef)}
    return found


@cache
def code(*folders: str) -> str:
    """With no folders: everything of the repository that is not a document."""
    found = [
        PROJECT / name for name in ("Makefile", "Dockerfile", "compose.yaml", "pyproject.toml")
    ]
    others = ("tests", "benchmarks", "deploy", "examples", "requirements")
    for folder in folders or (*_PRODUCT, *others):
        found += [path for path in (PROJECT / folder).rglob("*.*") if path.suffix in _CODE]
    return "\n".join(path.read_text() for path in found)


def exists(name: str) -> bool:
    return any(True for _ in PROJECT.glob(name)) or any(
        True for _ in PROJECT.glob(f"[!.]*/**/{name}")
    )


def is_unknown_module(name: str) -> bool:
    """Unless it is a module, what stands in one, or a name that the code has as text."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        place = PROJECT.joinpath(*parts[:length])
        source = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        if source.exists():
            rest = parts[length : length + 1]
            is_found = all(re.search(rf"\b{word}\b", source.read_text()) for word in rest)
            return not is_found and f'"{name}"' not in code()
    return True


@cache
def options_of(command: str) -> set[str]:
    made = load_command_class(get_commands()[command], command)
    parser = made.create_parser("manage.py", command)
    return {option for action in parser._actions for option in action.option_strings}


def wrong_commands(text: str) -> list[str]:
    wrong = []
    for command, rest in _COMMAND.findall(text.replace("\\\n", " ")):
        if command not in get_commands():
            wrong.append(command)
        else:
            given = set(_OPTION.findall(rest.split("<")[0]))
            wrong += [f"{command} {option}" for option in given - options_of(command)]
    return wrong


def broken_link(document: Path, link: str) -> bool:
    if re.match(r"/docs(#|$)", link):  # a page of the service, in the guides that it serves
        return False
    name, _, anchor = link.partition("#")
    target = document.parent / name if name else document
    if not target.exists():
        return True
    return bool(anchor) and target.suffix == ".md" and anchor not in headings(target)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(PROJECT)))
def test_links_files_and_tests_of_a_document_exist(document: Path) -> None:
    text = document.read_text()
    links = [link for link in _LINK.findall(text) if not re.match(r"[a-z]+:", link)]
    spans = _SPAN.findall(re.sub(r"```.*?```", "", text, flags=re.S))
    # A path may begin inside an app: `services/errors.py`. Paths from / are addresses.
    files = [name for name in spans if _FILE.fullmatch(name) and not name.startswith("/")]
    wrong = [link for link in links if broken_link(document, link)]
    wrong += [name for name in files if not exists(name)]
    wrong += ["::".join(named) for named in _TEST.findall(text) if named not in suite()]
    assert wrong == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(PROJECT)))
def test_modules_commands_and_settings_of_a_document_exist(document: Path) -> None:
    text = document.read_text()
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.S))
    modules = [found[1] for span in spans if (found := _MODULE.match(span))]
    wrong = [name for name in modules if is_unknown_module(name)]
    wrong += wrong_commands(text)
    wrong += [name for name in _SETTING.findall(text) if not re.search(rf"\b{name}\b", code())]
    assert wrong == []


def settings_read() -> set[str]:
    """The names that settings and the development stack take from the environment."""
    text = "\n".join(path.read_text() for path in (PROJECT / "config").rglob("*.py"))
    read = set(re.findall(r'\benv(?:\.\w+)?\(\s*"([A-Z_]+)"', text))
    read |= {product.provider_setting for product in products()}
    return read | set(re.findall(r'_number\(given, "([A-Z_]+)"', text))


def test_settings_page_has_every_setting_and_no_other() -> None:
    page = (PROJECT / "docs/operations/settings.md").read_text()
    rows = re.findall(r"^\| (`[A-Z][^|]*)\|", page, re.M)
    documented = {name for row in rows for name in re.findall(r"`([A-Z0-9_]+)`", row)}
    assert settings_read() - documented == set()
    assert {name for name in documented if f'"{name}"' not in code(*_PRODUCT)} == set()
