"""Lists of the console: a capped count, filters by days and by a record."""

from datetime import date, datetime, time, timedelta

from django.core.paginator import Paginator
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
