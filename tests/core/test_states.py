"""State machines: the service and the database refuse the same moves, over all pairs."""

from itertools import product

import pytest
from django.db import DatabaseError, transaction

from payments.collect.models import Charge, Order
from payments.core import clock, states
from payments.core.models import Transition
from tests.support.charges import create, start
from tests.support.database import triggers_asleep
from tests.support.fixtures import ApiClient

PAIRS = [
    (model, before, after)
    for model in (Order, Charge)
    for before, after in product(model.Status.values, repeat=2)
    if before != after
]


def row_in(model: type, state: str, api: ApiClient) -> Order | Charge:
    order = create(api)
    row = order if model is Order else start(order)
    with triggers_asleep():  # any state can be set up
        model.objects.filter(pk=row.pk).update(status=state)
    row.refresh_from_db()
    return row


@pytest.mark.parametrize(("model", "before", "after"), PAIRS)
def test_service_and_database_allow_the_same_moves(
    model: type, before: str, after: str, api: ApiClient
) -> None:
    legal = after in model.MOVES.get(before, frozenset())
    row = row_in(model, before, api)

    if legal:
        states.move(row, after, now=clock.now(), actor="tests", reason="why")
        left = Transition.objects.filter(subject_id=row.pk).latest("id")
        assert (left.from_state, left.to_state, left.reason) == (before, after, "why")
    else:
        with pytest.raises(states.IllegalMove):
            states.move(row, after, now=clock.now(), actor="tests")
        with pytest.raises(DatabaseError), transaction.atomic():
            model.objects.filter(pk=row.pk).update(status=after)
    row.refresh_from_db()
    assert row.status == (after if legal else before)


def test_a_decision_on_stale_values_cannot_be_written(api: ApiClient) -> None:
    order = create(api)
    stale = Order.objects.get(pk=order.pk)
    states.move(order, "EXPIRED", now=clock.now(), actor="tests")

    with pytest.raises(states.IllegalMove):
        states.move(stale, "PROCESSING", now=clock.now(), actor="tests")
    assert stale.status == "EXPIRED"
