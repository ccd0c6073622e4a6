"""A product as docs/recipes/product.md adds it: an app and two lines of settings."""

import ast
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils.translation import gettext_lazy

from config.devstack.options import PROJECT
from payments.core.products import ProductDeclaration

SETTINGS = "tests.products.settings"
# The servers and the migrated database are those of this run.
OWN = ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_XDIST_TESTRUNUID")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    server, _, query = os.environ["DATABASE_URL"].partition("?")
    environment = {name: value for name, value in os.environ.items() if name not in OWN}
    environment |= {
        "TEST_SERVERS_GIVEN": "1",
        "DATABASE_URL": f"{server.rpartition('/')[0]}/voucher?{query}",
    }
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", f"--ds={SETTINGS}", *arguments],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_toy_product_serves_from_its_app_alone() -> None:
    done = run(
        "tests/products/voucher_story.py",
        "tests/providers/test_conformance.py",
        "-k=voucher or kiosk",
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def test_declaration_of_the_recipe_is_one() -> None:
    page = (PROJECT / "docs/recipes/product.md").read_text()
    (block,) = re.findall(r"```python\n(.*?)```", page, re.S)
    names: dict[str, Any] = {"ProductDeclaration": ProductDeclaration, "_": gettext_lazy}
    exec(textwrap.dedent(f"   {block.strip()}"), names)  # noqa: S102
    assert names["VOUCHERS"].entry_kind("reserved") == "voucher_reserved"


# Files outside an app that name its product, as docs/recipes/product.md lists them. There is no
# room for more: an app declares what it brings.
OUTSIDE = {
    "topup": {
        "config/settings/base.py",
        "merchants/models.py",
        "payments/providers/ports/__init__.py",
        "payments/providers/ports/topup.py",
        "payments/simulator/magic.py",
        "payments/simulator/outgoing.py",
        "payments/simulator/rail.py",
        "pyproject.toml",
    },
}
OUTSIDE_MAX = 8
SPELLINGS = {"topup": re.compile(r"top[-_ ]?up", re.IGNORECASE)}
PRODUCT = ("config", "payments", "merchants", "webhooks")


def words(source: str) -> Iterator[str]:
    """Every identifier and every text that is no docstring."""
    for node in ast.walk(ast.parse(source)):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Constant) and not isinstance(node, ast.Expr):
                yield str(child.value)
        for field in ("id", "attr", "name", "arg", "module", "asname"):
            if isinstance(found := getattr(node, field, None), str):
                yield found


def outside(app: str) -> set[str]:
    files = [path for folder in PRODUCT for path in (PROJECT / folder).rglob("*.py")]
    own = PROJECT / "payments" / app
    naming = {
        path
        for path in files
        if own not in path.parents and "migrations" not in path.parts
        if any(map(SPELLINGS[app].search, words(path.read_text())))
    }
    texts = [PROJECT / "pyproject.toml", *(PROJECT / "templates").rglob("*.html")]
    naming |= {path for path in texts if SPELLINGS[app].search(path.read_text())}
    return {str(path.relative_to(PROJECT)) for path in naming}


@pytest.mark.parametrize("app", OUTSIDE)
def test_few_files_outside_its_app_name_a_product(app: str) -> None:
    assert outside(app) == OUTSIDE[app]
    assert len(OUTSIDE[app]) <= OUTSIDE_MAX


@pytest.mark.parametrize(
    "line",
    [
        "TOPUP_PROVIDER = 1",
        "from payments import topup",
        "def create_topup(): pass",
        "call(topup=1)",
        "row.topup_enabled",
        'print(f"of {x} top-ups")',
        "import payments.topup.urls as urls",
    ],
)
def test_count_sees_identifiers_and_texts(line: str) -> None:
    assert any(map(SPELLINGS["topup"].search, words(line)))


def test_count_leaves_docstrings_and_comments_out() -> None:
    source = 'def create():\n    """Top-ups."""\n    return 1  # of a top-up'
    assert not any(map(SPELLINGS["topup"].search, words(source)))
