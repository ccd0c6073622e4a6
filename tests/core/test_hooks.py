"""What apps above do at a payment comes by its path: each of them must be there."""

from collections.abc import Callable
from typing import Any

import pytest

from payments.collect.hooks import completed, retry_checks
from payments.core.hooks import Hook
from payments.links.services.link_events import publish_paid
from payments.links.services.payments import may_take_another_use
from payments.payout.hooks import refusals
from payments.withdrawals.services.withdrawals import refusal


@pytest.mark.parametrize(
    ("hook", "functions"),
    [
        (completed, [publish_paid]),
        (retry_checks, [may_take_another_use]),
        (refusals, [refusal]),
    ],
)
def test_apps_above_are_called_by_their_paths(
    hook: Hook[Callable[..., Any]], functions: list[Callable[..., Any]]
) -> None:
    assert list(hook) == functions


def test_function_that_is_added_twice_is_called_once() -> None:
    hook: Hook[Callable[..., Any]] = Hook()
    for _ in range(2):
        hook.add("payments.core.clock.now")
    assert len(list(hook)) == 1
