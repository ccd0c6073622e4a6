"""Formats values for the console: amounts, times, labels, links, tables."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from operator import attrgetter
from typing import Any

from django.conf import settings
from django.contrib.admin.utils import quote
from django.db.models import Model
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import NoReverseMatch, get_script_prefix, get_urlconf, reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext, ngettext
from unfold.decorators import display

from payments.console import tenancy
from payments.console.detail_words import RECORDS, detail_value, detail_word, sentence_of
from payments.console.registry import Text
from payments.core import clock, money

_DECIMAL = re.compile(r"-?\d+([.,]\d+)?")


def actor(request: HttpRequest) -> str:
    """The actor's name as in the audit log."""
    return str(request.user.get_username())


def admin_url(subject: Model) -> str | None:
    """The URL of a record's page in the console. None if the record has no page."""
    opts = subject._meta
    try:
        return reverse(f"admin:{opts.app_label}_{opts.model_name}_change", args=[quote(subject.pk)])
    except NoReverseMatch:
        return None


def page_url(subject: Model) -> str | None:
    """As admin_url, but also None if the reader may not open the page."""
    return admin_url(subject) if tenancy.may_open(type(subject)) else None


def list_url(model: type[Model]) -> str:
    return _list_url(model, get_urlconf() or settings.ROOT_URLCONF, get_script_prefix())


@cache
def _list_url(model: type[Model], urlconf: str, _prefix: str) -> str:
    """Found once in a process: the side bar and the title of each page ask for 180."""
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
    return reverse(name, urlconf=urlconf)


def link(subject: Model | None, text: object = None) -> str | SafeString:
    """A link to a record's page in the console; everything in it is escaped."""
    if subject is None:
        return "-"
    shown = str(subject) if text is None else text
    if (url := page_url(subject)) is None:
        return str(shown)
    return anchor(url, shown)


def anchor(address: str, text: object, title: str = "") -> SafeString:
    """A link to a page of the console that is no record; everything in it is escaped."""
    style = "text-primary-600 dark:text-primary-500"
    hint = format_html(' title="{}"', title) if title else ""
    return format_html('<a class="{}" href="{}"{}>{}</a>', style, address, hint, text)


def amount(value: Decimal | int | None, currency: str) -> str:
    """`50.025 COP` in Spanish: grouped by thousands, with both cents or none."""
    if value is None:
        return "-"
    return f"{money.digits(Decimal(value), currency)} {currency_shown(currency)}"


def currency_shown(code: str) -> str:
    """People read COP: COPM is the name of the balance in pesos in the API, and of accounts."""
    return money.FIAT if code == money.BALANCE_OF_FIAT else code


def balance_name(code: str) -> str:
    """`Pesos (COP)`; a coin has its code alone."""
    shown = currency_shown(code)
    return gettext("Pesos (%s)") % shown if code == money.BALANCE_OF_FIAT else shown


def number(shown: str) -> str:
    """`200.000` instead of `200000,00000000`, which Django shows for a decimal field."""
    if not _DECIMAL.fullmatch(shown):
        return shown
    return money.grouped(money.text(Decimal(shown.replace(",", "."))))


def when(timestamp_column: datetime | None) -> str:
    """Local time: with seconds for operators, as people write it for people of merchants."""
    if timestamp_column is None:
        return "-"
    at = localtime(timestamp_column)
    form = "g:i a" if tenancy.current_user_is_merchant() else "H:i:s"
    return f"{day(at)}, {date_format(at, form)}"


def day(value: date | None) -> str:
    """`23 nov 2026`; in English `23 Nov 2026`."""
    return date_format(value, f"{_month_format()} Y") if value else "-"


def short_day(value: date) -> str:
    """`23 nov`."""
    return date_format(value, _month_format())


def _month_format() -> str:
    """Months have a small letter in Spanish."""
    return "j b" if (get_language() or "").startswith("es") else "j M"


def timestamp_column(field: str, label: Text) -> Any:
    """A column with the time in `field`: how long ago in lists, exact on records and as title."""

    @display(description=label, ordering=field)
    def column(_page: object, row: object) -> str | SafeString:
        return time_element(getattr(row, field))

    return column


def time_element(at: datetime | None) -> str | SafeString:
    """How long ago with the clock time below it in lists, the exact time elsewhere."""
    if at is None:
        return "-"
    return format_html(
        '<time datetime="{}" title="{}"><span class="shell-ago">{} <small>{}</small></span>'
        '<span class="shell-exact">{}</span></time>',
        *(at.isoformat(timespec="seconds"), when(at)),
        *(relative_time(at, clock.now()), _clock_time(at), when(at)),
    )


def _clock_time(at: datetime) -> str:
    """The hour; with the day if it is not today. A date that the list shows has no day twice."""
    here, now = localtime(at), localtime(clock.now())
    hour = date_format(here, "g:i a" if tenancy.current_user_is_merchant() else "H:i")
    is_dated = abs((now - here).total_seconds()) >= (_DAYS_COUNTED + 1) * DAY
    return hour if is_dated or here.date() == now.date() else f"{short_day(here)}, {hour}"


def relative_time(at: datetime, now: datetime) -> str:
    """`5 min ago`, `in 3 h`; the date if it is more than a week away."""
    seconds = (now - at).total_seconds()
    if abs(seconds) < 60:
        return gettext("now")
    for size, past, future in _UNITS:
        count = int(abs(seconds) // size)
        if count >= 1:
            if size == DAY and count > _DAYS_COUNTED:
                break
            if seconds < 0:  # `in 3 days` for an hour less than three days
                count = round(-seconds / size)
            return (past if seconds > 0 else future)(count) % {"count": count}
    return day(localtime(at))


DAY = 24 * 3600
_DAYS_COUNTED = 7
_UNITS = (
    (
        DAY,
        lambda count: ngettext("%(count)d day ago", "%(count)d days ago", count),
        lambda count: ngettext("in %(count)d day", "in %(count)d days", count),
    ),
    (3600, lambda _count: gettext("%(count)d h ago"), lambda _count: gettext("in %(count)d h")),
    (60, lambda _count: gettext("%(count)d min ago"), lambda _count: gettext("in %(count)d min")),
)


def amount_column(
    field: str,
    label: Text,
    *,
    currency: str = "currency",
    is_sortable: bool = False,
    is_signed: bool = False,
) -> Any:
    """A column with the amount in `field`. `currency` is the path to its currency."""

    @display(description=label, ordering=field if is_sortable else None)
    def column(_page: object, row: object) -> str:
        value = getattr(row, field)
        sign = "+" if is_signed and value > 0 else ""
        return sign + amount(value, attrgetter(currency)(row))

    return column


def percent_column(field: str, label: Text) -> Any:
    """`1,5 %` for 0.015. A part that is zero is left out."""

    @display(description=label, ordering=field)
    def column(_page: object, row: object) -> str:
        part: Decimal = getattr(row, field)
        return f"{number(format((part * 100).normalize(), 'f'))} %" if part else "-"

    return column


def link_column(
    field: str, label: Text, *, empty: Text = "-", known_as: str = "", named: str = ""
) -> Any:
    """`known_as`: the field of the record by which people of merchants know it. `named`: the one
    by which everybody does.
    """

    @display(description=label)
    def column(_page: object, row: object) -> str:
        subject = attrgetter(field)(row)
        if subject is None:
            return str(empty)
        is_known = known_as and tenancy.current_user_is_merchant()
        name = named or (known_as if is_known else "")
        return link(subject, getattr(subject, name) or None if name else None)

    return column


def badge(text: object, kind: str) -> SafeString:
    """A coloured label as on the lists; `kind` is success, danger, warning or info."""
    shown: SafeString = render_to_string(
        "unfold/helpers/label.html", {"variant": kind, "text": str(text)}
    )
    return shown


def on_off(is_on: bool) -> SafeString:
    return badge(gettext("On"), "success") if is_on else badge(gettext("Off"), "danger")


def lines(texts: Iterable[str]) -> SafeString:
    """One below the other; everything in them is escaped."""
    return format_html_join(mark_safe("<br>"), "{}", ((text,) for text in texts))


def data_lines(text: str) -> str | SafeString:
    """A line for each entry of a JSON object: `caja: 4`."""
    try:
        found = json.loads(text)
    except ValueError:
        return text
    if not isinstance(found, dict):
        return text
    shown = (
        f"{name}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in found.items()
    )
    return lines(shown) or "-"


def known_as(record: object) -> str:
    """The reference, the title or the name by which people know a record. Empty without any."""
    found = (getattr(record, name, "") for name in ("reference", "title", "name"))
    return next((text for text in found if text and isinstance(text, str)), "")


def detail_lines(
    details: dict[str, Any],
    subject_type: str = "",
    linked: Callable[[str, str], str | SafeString] | None = None,
) -> str | SafeString:
    """A line for each detail of the audit log: `Tarifa: 1 → 2`. Details without a value are left
    out.

    linked   gives the link to a record from its kind and id.
    """

    def named(name: str, value: Any) -> SafeString:
        return format_html("{}: {}", detail_word(name, subject_type), shown(value, name))

    def shown(value: Any, name: str = "") -> str:
        if (sentence := sentence_of(name, value)) is not None:
            return format_html("{}", sentence)
        if isinstance(value, dict):
            return format_html_join("; ", "{}", ((named(*part),) for part in value.items()))
        if isinstance(value, list | tuple):
            # What was changed is a pair: before and after.
            between = " → " if len(value) == 2 else ", "
            return format_html_join(between, "{}", ((shown(each, name),) for each in value)) or "-"
        if isinstance(value, bool):
            return gettext("yes") if value else gettext("no")
        if linked is not None and name in RECORDS and isinstance(value, str) and value:
            return linked(name, value)
        return "-" if value in (None, "") else detail_value(name, str(value))

    given = {name: value for name, value in details.items() if value not in (None, "", [], {})}
    rows = ((named(name, value),) for name, value in given.items())
    return format_html_join(mark_safe("<br>"), "{}", rows)


def table(
    title: object,
    headers: Iterable[object],
    rows: Sequence[Sequence[object]],
    *,
    is_compact: bool = False,
) -> dict[str, object]:
    """A label begins with a capital, also beside its value in the cards of a phone.

    is_compact   on a phone a row is a few lines without labels.
    """
    labels = [capfirst(str(header)) for header in headers]
    return {"title": title, "table": {"headers": labels, "rows": rows, "is_compact": is_compact}}
