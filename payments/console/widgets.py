"""Form widgets of the console that need no library: dates, and a record to search for."""

from typing import Any

from django import forms
from django.contrib.admin.widgets import AutocompleteSelect
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.forms import AutocompleteDropdownForm, RangeDateForm
from unfold.widgets import DATETIME_CLASSES, INPUT_CLASSES


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
