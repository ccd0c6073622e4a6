"""Lists of the console: a capped count, filters by days and by a record."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django.contrib.admin import AllValuesFieldListFilter, FieldListFilter, ModelAdmin
from django.core.paginator import Paginator
from django.db import connections, models
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.timezone import make_aware
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateFilter
from unfold.utils import parse_date_str

from payments.console.widgets import DaysForm, PickerForm

COUNT_CAP = 10_000


class CappedPaginator(Paginator):
    """Counts to COUNT_CAP at most. An exact count would read a table of millions of rows."""

    @cached_property
    def count(self) -> int:
        if isinstance(self.object_list, QuerySet):
            return self.object_list.order_by()[:COUNT_CAP].count()
        return len(self.object_list)


class RecentValuesFilter(AllValuesFieldListFilter):
    """Offers the values of the newest COUNT_CAP rows. All would read a table of millions of rows.

    Any other value can be in the address, and is then offered as well.
    """

    def __init__(
        self,
        field: models.Field,
        request: HttpRequest,
        params: dict[str, list[str]],
        model: type[models.Model],
        model_admin: ModelAdmin,
        field_path: str,
    ) -> None:
        super().__init__(field, request, params, model, model_admin, field_path)
        rows = model_admin.get_queryset(request).order_by("-pk")
        found = set(_distinct(rows.values_list(field_path, flat=True)[:COUNT_CAP]))
        found |= set(self.lookup_val or ())
        self.lookup_choices: Any = sorted(found, key=str)


def _distinct(values: QuerySet) -> list[Any]:
    """The ORM has no DISTINCT after LIMIT."""
    newest, parameters = values.query.sql_with_params()
    with connections[values.db].cursor() as cursor:
        distinct = f"SELECT DISTINCT value FROM ({newest}) AS newest (value)"  # noqa: S608
        cursor.execute(distinct, parameters)
        return [value for (value,) in cursor.fetchall()]


FieldListFilter.register(
    lambda field: isinstance(field, models.CharField) and not field.choices,
    RecentValuesFilter,
    take_priority=True,
)


class RecordFilter(AutocompleteSelectFilter):
    """By a record that the user searches for, such as a merchant."""

    form_class = PickerForm


class DatesFilter(RangeDateFilter):
    """From one day to another, both included, of a column of days."""

    form_class = DaysForm


class DaysFilter(DatesFilter):
    """From one day to another, both included, in local time, of a column of times."""

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Both days are included, in the operator's time zone."""
        first, last = (
            parse_date_str(self.used_parameters.get(f"{self.parameter_name}_{end}") or "")
            for end in ("from", "to")
        )
        if first:
            queryset = queryset.filter(**{f"{self.parameter_name}__gte": midnight(first)})
        if last and last < date.max:  # no later day exists
            after = midnight(last + timedelta(days=1))
            queryset = queryset.filter(**{f"{self.parameter_name}__lt": after})
        return queryset


def midnight(day: date) -> datetime:
    return make_aware(datetime.combine(day, time.min))
