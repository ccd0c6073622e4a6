"""Form widgets of the console that need no library: dates, files, and a record to search for."""

from datetime import datetime, time
from typing import Any

from django import forms
from django.contrib.admin.widgets import AutocompleteSelect
from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.forms import AutocompleteDropdownForm, RangeDateForm
from unfold.widgets import (
    BASE_INPUT_CLASSES,
    DATETIME_CLASSES,
    INPUT_CLASSES,
    UnfoldAdminSelectWidget,
)

DAY_FORMAT = "%d/%m/%Y"
LAST_MINUTE = "23:59"
HOURS = (*(f"{hour:02}:00" for hour in range(24)), LAST_MINUTE)


class DateWidget(forms.DateInput):
    """The browser's own calendar. Its value is always ISO, whatever the language."""

    input_type = "date"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        classes = " ".join(DATETIME_CLASSES)
        super().__init__(attrs={"class": classes, **(attrs or {})}, format="%Y-%m-%d")


class TimeWidget(forms.TimeInput):
    input_type = "time"

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        classes = " ".join(DATETIME_CLASSES)
        super().__init__(attrs={"class": classes, **(attrs or {})}, format="%H:%M")


class SplitDateTimeWidget(forms.MultiWidget):
    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        widgets = [
            DateWidget({"aria-label": _("Date")}),
            TimeWidget({"aria-label": _("Time")}),
        ]
        super().__init__(widgets, attrs)

    def decompress(self, value: Any) -> list[Any]:
        return list(forms.SplitDateTimeWidget().decompress(value))


class DayWidget(forms.DateInput):
    """31/12/2026, whatever the browser's language; a button opens the browser's calendar."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        shared = {"class": " ".join(BASE_INPUT_CLASSES), "placeholder": _("dd/mm/yyyy")}
        others = {"inputmode": "numeric", "autocomplete": "off", "data-day": ""}
        super().__init__({**shared, **others, **(attrs or {})}, format=DAY_FORMAT)

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        field = super().render(name, value, attrs, renderer)
        return render_to_string("admin/day_input.html", {"field": field})


class HourWidget(UnfoldAdminSelectWidget):
    """The hours of a day and its last minute. A time between them is offered if it is the value."""

    def optgroups(self, name: str, value: Any, attr: Any = None) -> Any:
        shown = {text for each in value if (text := str(each or "")[:5])}
        self.choices = [(text, _hour(text)) for text in sorted({*HOURS, *shown})]
        return super().optgroups(name, [text[:5] for text in map(str, value)], attr)


def _hour(text: str) -> str:
    try:
        return date_format(datetime.strptime(text, "%H:%M"), "g:i a")  # noqa: DTZ007 - an hour only
    except ValueError:
        return text


class DayAndHourWidget(forms.MultiWidget):
    def __init__(self) -> None:
        super().__init__([DayWidget(), HourWidget({"aria-label": _("Time")})])

    def id_for_label(self, id_: str) -> str:
        return f"{id_}_0"

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        values = value if isinstance(value, list | tuple) else self.decompress(value)
        given = attrs or {}
        parts = [
            widget.render(f"{name}_{place}", shown, {**given, "id": f"{given.get('id')}_{place}"})
            for place, (widget, shown) in enumerate(zip(self.widgets, values, strict=True))
        ]
        return format_html('<span class="day-and-hour">{}{}</span>', *parts)

    def decompress(self, value: Any) -> list[Any]:
        return list(forms.SplitDateTimeWidget().decompress(value)) if value else [None, LAST_MINUTE]


class DayAndHourField(forms.SplitDateTimeField):
    """Without a day there is no value: an hour is always chosen."""

    def __init__(self, **options: Any) -> None:
        days = [DAY_FORMAT, "%Y-%m-%d"]
        super().__init__(
            input_date_formats=days,
            input_time_formats=["%H:%M"],
            widget=DayAndHourWidget(),
            **options,
        )

    def compress(self, data_list: Any) -> datetime | None:
        if not data_list or data_list[0] is None:
            return None
        found: datetime | None = super().compress((data_list[0], data_list[1] or time(23, 59)))
        return found


class FileWidget(forms.FileInput):
    """A zone to drop a file on, or to choose it, in the language of the page.

    The browser's own field is above the zone, so that it takes the drop, the click and the keys.
    `shell.js` writes name and size of the chosen file.
    """

    def __init__(self, attrs: dict[str, Any] | None = None, *, is_image: bool = False) -> None:
        super().__init__(attrs)
        self.is_image = is_image

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        field = super().render(name, value, attrs, renderer)
        context = {"field": field, "is_image": self.is_image}
        return render_to_string("admin/file_input.html", context)


class RecordPicker(AutocompleteSelect):
    """A box that searches with Django's autocomplete; `shell.js` makes it from this select."""

    @property
    def media(self) -> forms.Media:
        return forms.Media()

    def optgroups(self, name: str, value: Any, attr: Any = None) -> Any:
        # PostgreSQL refuses NUL.
        return super().optgroups(name, [each for each in value if "\0" not in str(each)], attr)

    def build_attrs(
        self, base_attrs: dict[str, Any], extra_attrs: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        attrs = forms.Select.build_attrs(self, base_attrs, extra_attrs)
        meta = self.field.model._meta
        return {
            **attrs,
            "data-picker": "",
            "data-url": self.get_url(),
            "data-app-label": meta.app_label,
            "data-model-name": meta.model_name,
            "data-field-name": self.field.name,
            "data-placeholder": _("Type to search"),
            "data-input-class": " ".join(INPUT_CLASSES),
        }


class PickerForm(AutocompleteDropdownForm):
    """The form of a filter."""

    widget = RecordPicker

    class Media:
        extend = False
        js: tuple[str, ...] = ()
        css: dict[str, tuple[str, ...]] = {}


class DaysForm(RangeDateForm):
    class Media:
        extend = False
        js: tuple[str, ...] = ()

    def __init__(self, name: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(name, *args, **kwargs)
        for end, label in (("from", _("From")), ("to", _("To"))):
            self.fields[f"{name}_{end}"].widget = DateWidget({"aria-label": label})
