"""The order of the tests: those that wait for processes run first, those that compute run last.

Each worker begins with its share of the list and then takes tests from the end of another worker's
share. So one worker waits while another computes, and no worker ends the run with one long test.
"""

import pytest

# They wait most of their time, for a process, a browser or the clock.
WAITING = ("browser/", "faults/", "scaling/", "devstack/", "deploy/", "journeys/", "webhooks/")
WAITING += ("sandbox/test_clock.py", "bills/test_doubts.py")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Both keep the order that pytest-django gave them: transactional tests after the others."""
    items.sort(key=lambda item: not item.nodeid.startswith(tuple(f"tests/{x}" for x in WAITING)))
