"""The order of the tests: those that wait for processes run first, those that compute run last.

Each worker begins with its share of the list and then takes tests from the end of another worker's
share. So one worker waits while another computes. The longest tests are at the beginning, so that
no worker ends the run with one of them.
"""

import pytest

# They wait most of their time, for a process, a browser or the clock.
WAITING = ("browser/", "faults/", "scaling/", "devstack/", "deploy/", "journeys/", "webhooks/")
WAITING += ("sandbox/test_clock.py", "bills/test_doubts.py")
# Half a minute and more, each with a service of its own.
LONG = ("devstack/test_started.py", "devstack/test_local_chains.py", "devstack/test_fake_rails.py")
LONG += ("faults/shared_service/", "faults/coins/", "scaling/test_pooler.py")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Each part keeps the order of pytest-django: transactional tests after the others."""
    items.sort(key=lambda item: (not _is_of(item, LONG), not _is_of(item, WAITING)))


def _is_of(item: pytest.Item, places: tuple[str, ...]) -> bool:
    return item.nodeid.removeprefix("tests/").startswith(places)
