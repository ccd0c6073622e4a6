"""The service's own limit of recursion, which a library of the tests raises a hundredfold.

py_ecc does so, which eth-account imports. A test that recurses too deeply would end its process.
"""

import sys

import pytest

LIMIT = sys.getrecursionlimit()


def pytest_collection_finish(session: pytest.Session) -> None:
    sys.setrecursionlimit(LIMIT)
