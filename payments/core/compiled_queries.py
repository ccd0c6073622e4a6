"""Look-ups that every request makes, compiled to SQL once: Django's compiler costs several times
what the database needs to execute the statement. The queryset stays the only definition.
"""

import inspect
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Generic, TypeVar

import django
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=Model)
# The internals of the compiler are those of these versions (see the tests of this module).
# With any other the plain queryset runs: slower, and right.
TESTED_VERSIONS = {(5, 2)}


class Param(str):
    """A place in the SQL for a text of each call; its value is the parameter's name."""


class CompiledQuery(Generic[M]):
    """`by_token = CompiledQuery(lambda token: Order.objects.filter(token=token))`, then
    `by_token.first(token="...")`.

    The queryset may join (`select_related`) and leave out (`defer`); it may not annotate. It should
    match one row at most: which of several is the first is not defined.
    """

    def __init__(self, queryset: Callable[..., QuerySet[M]]) -> None:
        self._queryset = queryset  # called at the first look-up: models are not loaded yet
        self._names = inspect.signature(queryset).parameters.keys()

    def first(self, **given: str) -> M | None:
        """The row as an instance, or None. Raises TypeError unless each parameter has a text."""
        if given.keys() != self._names or None in given.values():
            raise TypeError(f"Each of these needs a text: {', '.join(self._names)}.")
        if django.VERSION[:2] not in TESTED_VERSIONS:
            return next(iter(self._queryset(**given)[:1]), None)
        plan = self._plan
        with connection.cursor() as cursor:
            cursor.execute(plan.sql, plan.parameters(given))
            row = cursor.fetchone()
        return None if row is None else plan.instance(row)

    @cached_property
    def _plan(self) -> "_Plan[M]":
        return _Plan(self._queryset(**{name: Param(name) for name in self._names}))


class _Plan(Generic[M]):
    """What Django's ModelIterable works out for each query, worked out once."""

    def __init__(self, queryset: QuerySet[M]) -> None:
        compiler = queryset.query.get_compiler(DEFAULT_DB_ALIAS)
        self.sql, self._parameters = compiler.as_sql()
        info, select = compiler.klass_info, compiler.select
        if info is None or compiler.annotation_col_map:
            raise TypeError("Only whole rows of a model can be compiled.")
        self._model: type[M] = info["model"]
        own = info["select_fields"]
        self._own = slice(own[0], own[-1] + 1)
        self._names = [column[0].target.attname for column in select[self._own]]
        # The type information is of a later Django, which takes one argument more.
        self._related = get_related_populators(info, select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]
        if compiler.get_converters([column[0] for column in select]):
            # They would need the connection of each call; leave such a column out (`defer`).
            raise TypeError("A column that Django converts cannot be compiled.")

    def parameters(self, given: dict[str, str]) -> list[str | int | bool]:
        return [given[value] if isinstance(value, Param) else value for value in self._parameters]

    def instance(self, row: Sequence[object]) -> M:
        found = self._model.from_db(DEFAULT_DB_ALIAS, self._names, row[self._own])
        for related in self._related:
            related.populate(row, found)
        return found
