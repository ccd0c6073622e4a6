"""Every module of the product can be the first that is imported."""

import json
import subprocess
import sys

import pytest

from config.devstack.options import PROJECT

pytestmark = pytest.mark.slow


def test_every_module_of_the_product_imports_alone() -> None:
    """A circle of imports works or fails by what happened to be imported before."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.support.lone_imports"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout.splitlines()[-1])
    assert len(found["tried"]) > 300
    assert found["failed"] == {}
