"""The facts of a record, as Django's fields, rows and fieldsets."""

from typing import Any

# The class of a fieldset that stands folded at the end of the page of a record.
TECHNICAL = "technical"


def without(fields: Any, hidden: frozenset[str]) -> list[Any]:
    """Removes hidden fields from fields, rows or fieldsets, and then removes empty rows."""
    kept: list[Any] = []
    for item in fields:
        if isinstance(item, str) or callable(item):
            if item not in hidden:
                kept.append(item)
        elif len(item) == 2 and isinstance(item[1], dict):
            if inner := without(item[1].get("fields", ()), hidden):
                kept.append((item[0], {**item[1], "fields": inner}))
        elif inner := without(item, hidden):
            kept.append(tuple(inner))
    return kept


def technical(title: object, fields: Any) -> tuple[Any, dict[str, Any]]:
    """For developers, and for questions to a provider: ids and references."""
    return (title, {"classes": [TECHNICAL], "fields": fields})


def is_technical(fieldset: Any) -> bool:
    return TECHNICAL in fieldset[1].get("classes", ())
