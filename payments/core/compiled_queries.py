"""Look-ups of every request, compiled to SQL once from their querysets.

Django's compiler takes several times as long as the database takes to execute the statement.
"""

import inspect
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

import django
from django.db import DEFAULT_DB_ALIAS, connections, router
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model, QuerySet
from django.db.models.base import ModelState
from django.db.models.fields.related_descriptors import ForeignKeyDeferredAttribute
from django.db.models.query import RelatedPopulator, get_related_populators
from django.db.models.query_utils import DeferredAttribute
from django.db.models.signals import post_init, pre_init

M = TypeVar("M", bound=Model)
# This module uses internals of Django's compiler in these versions. Other versions run the plain
# queryset, which is slower.
TESTED_VERSIONS = {(5, 2)}


class Param(str):
    """A placeholder in the SQL. Its value is the parameter's name."""


class CompiledQuery(Generic[M]):
    """by_token = CompiledQuery(lambda token: Order.objects.filter(token=token))
    by_token.first(token="...")

    The queryset may use `select_related`, `defer` and annotations. `first` takes any of the rows,
    so it should match one row at most.
    """

    def __init__(self, queryset: Callable[..., QuerySet[M]]) -> None:
        self._queryset = queryset  # called at the first look-up, when the models are loaded
        self._names = inspect.signature(queryset).parameters.keys()

    def first(self, **given: str) -> M | None:
        """Raises TypeError unless each parameter has a value."""
        self._check(given)
        if not compiles():
            return next(iter(self._queryset(**given)[:1]), None)
        plan = self._plan
        connection = connections[router.db_for_read(plan.model)]
        with connection.cursor() as cursor:
            cursor.execute(plan.sql, plan.parameters(given))
            row = cursor.fetchone()
        return None if row is None else plan.instance(row, connection)

    def first_with(self, sql: str, **given: str) -> tuple[Any, M | None]:
        """The one value of the statement `sql`, and the row, in one round trip.

        The value comes also without a row. Raises TypeError unless each parameter has a value.
        """
        self._check(given)
        if not compiles():
            with connections[router.db_for_read(self._plan.model)].cursor() as cursor:
                cursor.execute(sql)
                return cursor.fetchone()[0], self.first(**given)
        plan = self._plan
        connection = connections[router.db_for_read(plan.model)]
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT ({sql}), found.* FROM (VALUES (1)) AS one"  # noqa: S608 -- both are code
                f" LEFT JOIN ({plan.sql}) AS found ON TRUE",
                plan.parameters(given),
            )
            value, *row = cursor.fetchone()
        return value, None if plan.is_missing(row) else plan.instance(row, connection)

    def all(self, **given: str) -> list[M]:
        """Raises TypeError unless each parameter has a value."""
        self._check(given)
        if not compiles():
            return [*self._queryset(**given)]
        plan = self._plan
        connection = connections[router.db_for_read(plan.model)]
        with connection.cursor() as cursor:
            cursor.execute(plan.sql, plan.parameters(given))
            rows = cursor.fetchall()
        return [plan.instance(row, connection) for row in rows]

    def _check(self, given: dict[str, str]) -> None:
        if given.keys() != self._names or None in given.values():
            raise TypeError(f"Each of these needs a text: {', '.join(self._names)}.")

    @cached_property
    def _plan(self) -> "_Plan[M]":
        return _Plan(self._queryset(**{name: Param(name) for name in self._names}))


def compiles() -> bool:
    return django.VERSION[:2] in TESTED_VERSIONS


class _Plan(Generic[M]):
    """The preparation of Django's ModelIterable, done once instead of for each query."""

    def __init__(self, queryset: QuerySet[M]) -> None:
        compiler = queryset.query.get_compiler(DEFAULT_DB_ALIAS)
        self.sql, self._parameters = compiler.as_sql()
        info, select = compiler.klass_info, compiler.select
        if info is None or queryset._fields is not None:  # type: ignore[attr-defined]
            raise TypeError("Only rows of a model can be compiled.")
        self.model: type[M] = info["model"]
        self._from_db = _row_maker(self.model)
        own = info["select_fields"]
        self._own = slice(own[0], own[-1] + 1)
        self._names = [column[0].target.attname for column in select[self._own]]
        self._key = self._names.index(self.model._meta.pk.attname)
        # The stubs are of a later Django, whose function has one more argument.
        self._related = get_related_populators(info, select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]
        _make_rows_fast(self._related)
        self._annotations = [*compiler.annotation_col_map.items()]
        self._converters = [
            (place, convert, expression)
            for place, (functions, expression) in compiler.get_converters(
                [column[0] for column in select]
            ).items()
            for convert in functions
        ]

    def is_missing(self, row: Sequence[object]) -> bool:
        """Whether an outer join found nothing."""
        return row[self._own][self._key] is None

    def parameters(self, given: dict[str, str]) -> list[str | int | bool]:
        return [given[value] if isinstance(value, Param) else value for value in self._parameters]

    def instance(self, row: Sequence[object], connection: BaseDatabaseWrapper) -> M:
        if self._converters:
            row = self._converted(row, connection)
        found: M = self._from_db(connection.alias, self._names, row[self._own])
        for related in self._related:
            related.populate(row, found)
        for name, place in self._annotations:
            setattr(found, name, row[place])
        return found

    def _converted(
        self, row: Sequence[object], connection: BaseDatabaseWrapper
    ) -> Sequence[object]:
        values = [*row]
        for place, convert, expression in self._converters:
            values[place] = convert(values[place], expression, connection)
        return values


class _Rows(Generic[M]):
    """Stands for a model whose `from_db` it replaces: one update of the row's dictionary instead of
    a call for each field.
    """

    def __init__(self, model: type[M]) -> None:
        self._model = model

    def from_db(self, alias: str, names: Sequence[str], values: Sequence[object]) -> M:
        row = self._model.__new__(self._model)
        vars(row).update(zip(names, values, strict=True))
        row._state = state = ModelState()
        state.adding, state.db = False, alias
        return row


def _row_maker(model: type[M]) -> Callable[[str, Sequence[str], Sequence[object]], M]:
    return _Rows(model).from_db if _is_plain(model) else model.from_db


def _make_rows_fast(populators: Sequence[RelatedPopulator]) -> None:
    for populator in populators:
        if _is_plain(populator.model_cls):
            populator.model_cls = _Rows(populator.model_cls)  # type: ignore[assignment]
        _make_rows_fast(populator.related_populators)


def _is_plain(model: type[Model]) -> bool:
    """Whether Django would only set the attributes."""
    overrides = (
        model.__init__ is not Model.__init__
        or model.from_db.__func__ is not Model.from_db.__func__  # type: ignore[attr-defined]
        or any(signal.has_listeners(model) for signal in (pre_init, post_init))
    )
    descriptors = {field.descriptor_class for field in model._meta.concrete_fields}
    return not overrides and descriptors <= {DeferredAttribute, ForeignKeyDeferredAttribute}
