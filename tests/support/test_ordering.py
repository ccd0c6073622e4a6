"""The order of the tests: those that wait for others go first, those that only compute come last.

Each worker begins with its share of the list and, when it is done, takes from the end of another's.
With what waits at the head, one worker waits while another computes, and nobody is left alone at
the end with a minute of one test.
"""

import pytest

# They start processes or browsers, and spend most of their time waiting for them.
WAITING = ("browser", "faults", "scaling", "devstack", "deploy", "journeys", "webhooks")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Both keep the order that pytest-django gave them: transactional tests after the others."""
    items.sort(key=lambda item: not item.nodeid.startswith(tuple(f"tests/{x}/" for x in WAITING)))
