"""A pytest plugin: every test so many times in one process, for what only a race shows."""

import os

import pytest

TIMES = "MUTANT_TIMES"


@pytest.fixture
def repetition(request: pytest.FixtureRequest) -> object:
    """Which one this is."""
    return request.param


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Adds a parameter that no test looks at."""
    metafunc.fixturenames.append("repetition")
    numbers = range(int(os.environ[TIMES]))
    metafunc.parametrize("repetition", numbers, indirect=True, ids=lambda number: f"run{number}")
