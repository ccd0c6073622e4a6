"""How people of a merchant find their own rows: by a part of a name, by how a reference begins.

No index serves these terms, so the rows that are read are bounded: the newest ROWS_MAX, and of
payments those of the last DAYS days. Operators see all merchants, and find by what has an index.
"""

from datetime import timedelta
from typing import Any

from django.apps import apps
from django.db.models import Model, Q, QuerySet
from django.db.models.lookups import Contains
from django.http import HttpRequest

from payments.console import tenancy
from payments.console.registry import SearchedModel, declared, folded_column
from payments.core import clock
from payments.core.text import plain_letters

DAYS = 90
ROWS_MAX = 5_000
FOUND_MAX = 500
TERM_MIN = 3


def keys(request: HttpRequest, model: type[Model], term: str) -> list[Any]:
    """Of the newest rows of the user's merchants that fit. None for operators."""
    searched = _searched(model)
    words = plain_letters(term).split()
    if not tenancy.is_merchant_user(request) or searched is None or len(term) < TERM_MIN:
        return []
    condition = Q()
    for name in searched.names:
        contained = Q()
        for word in words:
            contained &= Q(Contains(folded_column(name), word))
        condition |= contained
    for code in searched.codes:
        condition |= Q(**{f"{code}__istartswith": term})
    if not condition or not words:
        return []
    rows = tenancy.limit(request, model._default_manager.all(), "merchant")
    if not searched.is_kept:
        rows = rows.filter(created_at__gte=clock.now() - timedelta(days=DAYS))
    rows = _newest(rows)
    found = rows.filter(condition).order_by("-created_at")
    return list(found.values_list("pk", flat=True)[:FOUND_MAX])


def _newest(rows: QuerySet[Any]) -> QuerySet[Any]:
    """The time of the first row that is not read comes from the index alone."""
    times = rows.order_by("-created_at", "-pk").values_list("created_at", flat=True)
    older = times[ROWS_MAX : ROWS_MAX + 1].first()
    return rows if older is None else rows.filter(created_at__gt=older)


def _searched(model: type[Model]) -> SearchedModel | None:
    each = (one for console in declared().values() for one in console.search)
    own = (one for one in each if one.names or one.codes)
    return next((one for one in own if apps.get_model(one.model) is model), None)
