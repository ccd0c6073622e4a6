"""Links, files and tests that the documents name exist."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from config.devstack.options import PROJECT

# The changelog names files as they were at its time.
DOCUMENTS = [*PROJECT.glob("[!C]*.md"), PROJECT / "CONTRIBUTING.md"]
for _folder in ("docs", "examples", "deploy"):
    DOCUMENTS += (PROJECT / _folder).rglob("*.md")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_SPAN = re.compile(r"`([^`\s]+)`")
_FILE = re.compile(r"[\w./-]+/[\w.-]+\.(?:py|md|txt|html|css|js|json|yaml|toml|patch|sh|in)")
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


def broken_link(document: Path, link: str) -> bool:
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
    wrong += [
        name
        for name in files
        if not any(PROJECT.glob(f"[!.]*/**/{name}")) and not (PROJECT / name).exists()
    ]
    wrong += ["::".join(named) for named in _TEST.findall(text) if named not in suite()]
    assert wrong == []
