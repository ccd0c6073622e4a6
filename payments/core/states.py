"""State machines: each `Status` has a `MOVES` table, and `move` makes every change.

A database trigger, made from the same table, enforces it for all other code.
"""

from collections.abc import Mapping
from datetime import datetime

import pgtrigger
from django.db import models, transaction

from payments.core.models import Transition
from payments.core.reasons import MoveReason

Moves = Mapping[str, frozenset[str]]


class IllegalMove(Exception):
    """The record's state does not allow this move. Nothing was changed."""

    def __init__(self, subject: models.Model, to_state: str) -> None:
        super().__init__(f"{subject.pk}: {getattr(subject, 'status', '?')} -> {to_state}")


def guard(moves: Moves, name: str = "legal_moves") -> pgtrigger.FSM:
    """A trigger for `Meta.triggers` that refuses every change of `status` outside `moves`."""
    pairs = [(start, end) for start, ends in moves.items() for end in sorted(ends)]
    return pgtrigger.FSM(name=name, field="status", transitions=pairs)


def move(
    subject: models.Model,
    to_state: str,
    *,
    now: datetime,
    actor: str,
    reason: str = "",
    **changes: object,
) -> None:
    """Locks the row, checks `MOVES`, saves the state and `changes`, and writes a Transition.

    It checks the state of the locked row, not that of `subject`, which may be stale. Call it inside
    a transaction. Raises IllegalMove.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("states.move() must run inside a transaction")
    model = type(subject)
    current = (
        model._default_manager.select_for_update(no_key=True)
        .values_list("status", flat=True)
        .get(pk=subject.pk)
    )
    subject.status = current  # type: ignore[attr-defined]
    if to_state not in model.MOVES.get(current, frozenset()):  # type: ignore[attr-defined]
        raise IllegalMove(subject, to_state)
    for field, value in changes.items():
        setattr(subject, field, value)
    subject.status = to_state  # type: ignore[attr-defined]
    touched = ["updated_at"] if hasattr(subject, "updated_at") else []
    subject.save(update_fields=["status", *changes, *touched])
    Transition.objects.create(
        subject_type=model._meta.label_lower.rpartition(".")[2],
        subject_id=subject.pk,
        from_state=current,
        to_state=to_state,
        actor=actor,
        reason_code=reason.code if isinstance(reason, MoveReason) else "",
        reason=(reason.parameter if isinstance(reason, MoveReason) else reason)[:500],
        at=now,
    )
