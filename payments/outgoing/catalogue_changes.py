"""The catalogues: the rows of a new installation, and the changes of operators with a reason."""

from collections.abc import Iterable

from django.db import models, transaction

from payments.core import audit


@transaction.atomic
def change_row(*, row: models.Model, actor: str, reason: str, **changes: object) -> list[str]:
    """Saves the changed fields, and an audit row with old and new values. Returns their names.

    Raises ValidationError.
    """
    # Read again under a lock, so that the audit row has the old values. The lock is NO KEY UPDATE,
    # so that payments which refer to the row can commit without a wait while they hold a balance.
    current = type(row)._default_manager.select_for_update(no_key=True).get(pk=row.pk)
    before = {name: getattr(current, name) for name in changes}
    changed = [name for name in changes if changes[name] != before[name]]
    if not changed:
        return []
    for name in changed:
        setattr(current, name, changes[name])
    current.full_clean(validate_unique=False)
    current.save(update_fields=changed)
    audit.record(
        actor=actor,
        action=f"{row._meta.model_name}.changed",
        subject=current,
        reason=reason,
        old={name: before[name] for name in changed},
        new={name: changes[name] for name in changed},
    )
    return changed


@transaction.atomic
def add_row(*, row: models.Model, actor: str, reason: str) -> None:
    """Raises ValidationError."""
    row.full_clean()
    row.save(force_insert=True)
    fields = [field for field in row._meta.concrete_fields if not field.primary_key]
    audit.record(
        actor=actor,
        action=f"{row._meta.model_name}.added",
        subject=row,
        reason=reason,
        new={field.name: getattr(row, field.attname) for field in fields},
    )


def add_missing(model: type[models.Model], rows: Iterable[models.Model]) -> int:
    """Adds the rows whose primary key is missing, also when two processes do it at once. Returns
    how many.
    """
    known = set(model._default_manager.values_list("pk", flat=True))
    missing = [row for row in rows if row.pk not in known]
    model._default_manager.bulk_create(missing, ignore_conflicts=True)
    return len(missing)
