"""What the reconciliation pages show."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from django.apps import apps
from django.contrib.admin.utils import quote
from django.urls import NoReverseMatch, reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from payments.console.formatting import day, table
from payments.console.registry import Text
from payments.core import money
from payments.core.days import ONE_DAY
from payments.reconciliation.admin import day_exports
from payments.reconciliation.models import AccountKind, DayStatus, DifferenceKind, Flow
from payments.reconciliation.services.days import accounts, sentences
from payments.reconciliation.services.days.accounts import DayAccount
from payments.reconciliation.services.days.month import (
    MonthDay,
    neighbours,
    read_month,
    read_open,
)
from payments.reconciliation.services.days.values import (
    Columns,
    DayReport,
    Difference,
    FlowSum,
    Record,
)

# The page shows so many differences of a day. The export has all of them.
SHOWN_MAX = 200
# So many open differences stand beside the calendars.
OPEN_SHOWN = 10
NO_FILE = "—"
ICONS = {
    DayStatus.GREEN: "check_circle",
    DayStatus.OPEN: "schedule",
    DayStatus.RED: "error",
    DayStatus.GREY: "remove",
}
# The marks of the days: status, icon, meaning.
LEGEND = [(status.value.lower(), icon, status.label) for status, icon in ICONS.items()]
WEEKDAYS = (_("Mon"), _("Tue"), _("Wed"), _("Thu"), _("Fri"), _("Sat"), _("Sun"))


class Cell(NamedTuple):
    """A day of a calendar."""

    number: int
    address: str
    status: str
    sign: str
    # How many differences are open.
    differences: int
    # For screen readers: the day, its status and its differences.
    spoken: str
    is_chosen: bool


class Row(NamedTuple):
    """A line of the table of three columns."""

    label: Text
    movements: str
    books: str
    # NO_FILE where no document of a provider speaks of the movements.
    provider: str
    bank: str
    # The bank minus our books, with its sign: the column adds up.
    difference: str
    is_total: bool
    is_apart: bool
    # The page of the day that a difference of the opening balance comes from.
    address: str = ""


def day_address(account: DayAccount, day: date) -> str:
    return reverse(
        "admin:reconciliation_day", args=[account.kind.lower(), account.slug, day.isoformat()]
    )


def month_address(month: date) -> str:
    return reverse("admin:reconciliation_month", args=[f"{month:%Y-%m}"])


def month_context(month: date, today: date) -> dict[str, Any]:
    known = accounts.list_accounts()
    calendars = [_calendar(one, month, today) for one in known]
    return {
        **_open_differences(known, today),
        "title": gettext("Reconciliation"),
        "calendars": calendars,
        "weekdays": WEEKDAYS,
        "legend": LEGEND,
        "month": date_format(month, "F Y"),
        **_months(month, today),
        "list_url": reverse("admin:reconciliation_reconciledday_changelist") + "?status__exact=RED",
    }


def day_context(
    account: DayAccount, day: date, today: date, chosen: Mapping[str, str]
) -> dict[str, Any]:
    report = accounts.compute_day(account, day, today)
    found = _chosen(report.differences, chosen)
    before, after = neighbours(account, day, today)
    return {
        "title": gettext("Reconciliation of %(day)s") % {"day": day.isoformat()},
        "account": account,
        "day": day,
        "long_day": date_format(day, "l j F Y"),
        "day_status": report.status.value.lower(),
        "status_label": report.status.label,
        "verdict": _verdict(report),
        "rows": _rows(report, day_address(account, before) if before else ""),
        "stated": _stated(report),
        "differences": [_shown(one) for one in found[:SHOWN_MAX]],
        "count": len(report.differences),
        "found": len(found),
        "left_out": max(0, len(found) - SHOWN_MAX),
        "selects": _selects(chosen),
        "weeks": _weeks(account, day, today, report),
        "weekdays": WEEKDAYS,
        "legend": LEGEND,
        "month": date_format(day, "F Y"),
        "month_url": month_address(day),
        "others": [
            (one.label, day_address(one, day)) for one in accounts.list_accounts() if one != account
        ],
        "ways": {
            "before": day_address(account, day - ONE_DAY),
            "after": day_address(account, day + ONE_DAY) if day < today else "",
            "open_before": day_address(account, before) if before else "",
            "open_after": day_address(account, after) if after else "",
        },
    }


def exports(account: DayAccount, day: date) -> list[tuple[Text, str]]:
    """(label, address) of the files of the day."""
    own = [account.kind.lower(), account.slug, day.isoformat()]
    return [
        (label, reverse("admin:reconciliation_file", args=[*own, name, suffix]))
        for name, suffix, label in day_exports.OFFERED
    ]


def _months(month: date, today: date) -> dict[str, str]:
    first = month.replace(day=1)
    later = (first + timedelta(days=31)).replace(day=1)
    return {
        "earlier": month_address(first - ONE_DAY),
        "later": month_address(later) if later <= today else "",
    }


def _open_differences(known: Sequence[DayAccount], today: date) -> dict[str, Any]:
    """The oldest of all months, whose days the calendar of this month may not have."""
    found, count = read_open(OPEN_SHOWN)
    of_row = {(one.kind, one.slug): one for one in known}
    rows, addresses = [], []
    for one in found:
        if (account := of_row.get((AccountKind(one.account_kind), one.account))) is None:
            continue
        addresses.append(day_address(account, one.day))
        columns = Columns(one.books, one.provider, one.bank)
        age = (today - one.day).days
        rows.append(
            [
                format_html('<a class="desk-link" href="{}">{}</a>', addresses[-1], day(one.day)),
                *([account.label] if len(known) > 1 else []),
                one.get_kind_display(),
                f"{_apart(columns)} {money.FIAT}" if _apart(columns) else "-",
                ngettext("%d day", "%d days", age) % age,
            ]
        )
    if not rows:
        return {"open_table": None, "oldest": ""}
    headers = [_("day"), _("difference"), _("amount"), _("age")]
    if len(known) > 1:
        headers.insert(1, _("account"))
    title = ngettext("%d open difference", "%d open differences", count) % count
    shown = table(title, headers, rows)
    return {"open_table": shown, "oldest": addresses[0], "is_cut": count > len(rows)}


def _calendar(account: DayAccount, month: date, today: date) -> dict[str, object]:
    weeks = read_month(account, month)
    return {
        "account": account,
        "weeks": [
            [_cell(account, each, today, None) if each else None for each in week] for week in weeks
        ],
        "open": _open_in(weeks),
    }


def _open_in(weeks: Sequence[Sequence[MonthDay | None]]) -> str:
    found = [each for week in weeks for each in week if each and each.differences]
    if not found:
        return gettext("No open difference.")
    count = sum(each.differences for each in found)
    return ngettext(
        "%(count)d open difference, of %(day)s.",
        "%(count)d open differences, the oldest of %(day)s.",
        count,
    ) % {"count": count, "day": date_format(found[0].day, "j F")}


def _weeks(
    account: DayAccount, month: date, today: date, report: DayReport
) -> list[list[Cell | None]]:
    return [
        [_cell(account, each, today, report) if each else None for each in week]
        for week in read_month(account, month)
    ]


def _cell(account: DayAccount, each: MonthDay, today: date, report: DayReport | None) -> Cell:
    """The chosen day has the figures of this moment."""
    is_chosen = report is not None and report.day == each.day
    status, differences = each.status, each.differences
    if report is not None and is_chosen:
        status, differences = report.status, len(report.differences)
    spoken = [date_format(each.day, "j F"), str(status.label)]
    if differences:
        spoken.append(ngettext("%d difference", "%d differences", differences) % differences)
    return Cell(
        number=each.day.day,
        address=day_address(account, each.day) if each.day <= today else "",
        status=status.value.lower(),
        sign=ICONS[status],
        differences=differences,
        spoken=", ".join(spoken),
        is_chosen=is_chosen,
    )


def _verdict(report: DayReport) -> str:
    overdue = sum(one.is_overdue for one in report.differences)
    if overdue:
        return gettext("%(overdue)d of %(all)d differences are overdue.") % {
            "overdue": overdue,
            "all": len(report.differences),
        }
    if report.differences:
        return gettext("%d differences may still end by themselves.") % len(report.differences)
    if report.status == DayStatus.GREY:
        return gettext("No statement and no payment has this day.")
    if (closing := report.closing) is not None and not closing.are_equal:
        return gettext("The day itself agrees. The columns differ by what earlier days left open.")
    return gettext("The three columns end in the same figure.")


def _rows(report: DayReport, earlier: str) -> list[Row]:
    has_provider = _has_provider(report)
    rows = [_balance(_("Opening balance"), report.opening, has_provider, earlier)]
    rows += [_row(flow, each) for flow, each in report.flows.items()]
    return [*rows, _balance(_("Closing balance"), report.closing, has_provider)]


def _has_provider(report: DayReport) -> bool:
    """Whether documents of a provider speak of every row that has movements."""
    moved = [each for each in report.flows.values() if each.count]
    return bool(moved) and all(each.has_provider for each in moved)


def _row(flow: Flow, each: FlowSum) -> Row:
    has_provider = each.has_provider or not each.count
    return Row(
        label=flow.label,
        movements=str(each.count),
        books=_pesos(each.columns.books),
        provider=_pesos(each.columns.provider) if has_provider else NO_FILE,
        bank=_pesos(each.columns.bank),
        difference=_apart(each.columns),
        is_total=False,
        is_apart=not each.columns.are_equal,
    )


def _balance(label: Text, columns: Columns | None, has_provider: bool, earlier: str = "") -> Row:
    if columns is None:
        return Row(label, "", NO_FILE, NO_FILE, NO_FILE, "", is_total=True, is_apart=False)
    books, provider, bank = map(_pesos, columns)
    return Row(
        label=label,
        movements="",
        books=books,
        provider=provider if has_provider else NO_FILE,
        bank=bank,
        difference=_apart(columns),
        is_total=True,
        is_apart=not columns.are_equal,
        address="" if columns.are_equal else earlier,
    )


def _apart(columns: Columns) -> str:
    """Empty when all agree. "0" when only the provider's column differs."""
    if columns.are_equal:
        return ""
    amount = columns.bank - columns.books
    return f"+{_pesos(amount)}" if amount > 0 else _pesos(amount)


def _stated(report: DayReport) -> str:
    return "" if report.stated is None else _pesos(report.stated)


def _chosen(found: Sequence[Difference], chosen: Mapping[str, str]) -> list[Difference]:
    kept = [
        one
        for one in found
        if chosen["kind"] in ("", one.kind.value) and chosen["flow"] in ("", one.flow.value)
    ]
    return sorted(kept, key=lambda one: (not one.is_overdue, one.due_on))


def _selects(chosen: Mapping[str, str]) -> list[dict[str, object]]:
    return [
        {
            "name": "kind",
            "label": _("Difference"),
            "value": chosen["kind"],
            "choices": DifferenceKind.choices,
        },
        {"name": "flow", "label": _("Row"), "value": chosen["flow"], "choices": Flow.choices},
    ]


def _shown(one: Difference) -> dict[str, object]:
    return {
        "kind": one.kind.label,
        "flow": one.flow.label,
        "is_overdue": one.is_overdue,
        "what": sentences.what(one.cause, one.facts),
        "next_step": sentences.next_step(one.cause),
        "age": one.age_days,
        "due_on": one.due_on,
        "columns": [_pesos(amount) for amount in one.columns],
        "is_equal": one.columns.are_equal,
        "links": [each for each in map(record_link, one.records) if each],
    }


def record_link(record: Record) -> tuple[str, str] | None:
    """(label, address). None for a record without a page."""
    model = apps.get_model(record.model)
    opts = model._meta
    name = f"admin:{opts.app_label}_{opts.model_name}_change"
    try:
        address = reverse(name, args=[quote(record.pk)])
    except NoReverseMatch:
        return None
    return f"{opts.verbose_name} {record.pk}", address


def _pesos(amount: Decimal) -> str:
    return money.digits(amount, money.FIAT)
