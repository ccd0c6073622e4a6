"""What the page of a line shows of the bank's movements, and its history."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from django.contrib.admin.utils import quote
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console.formatting import amount, anchor, badge, day, table, when
from payments.console.timeline import TimelineLine, action_words, timeline, told_once
from payments.core.models import AuditEntry
from payments.payment_files.models import BatchLine, FindingKind, LineFinding, LineStatus

CURRENCY = "COP"
DECLARED = "batch_line.declared"
# In a column of a list, where the whole sentence has no room.
SHORT_FINDINGS = {
    FindingKind.SECOND_DEBIT: _("Paid twice"),
    FindingKind.OTHER_AMOUNT: _("Other amount"),
    FindingKind.NOT_HANDED_OVER: _("Paid without a file"),
    FindingKind.PAID_AFTER_FAILED: _("Paid after all"),
    FindingKind.SECOND_RETURN: _("Came back twice"),
    FindingKind.RETURN_AFTER_FAILED: _("Came back after all"),
    FindingKind.DEBIT_WITHDRAWN: _("Proof withdrawn"),
}
DECLARED_WORDS = {
    LineStatus.COMPLETED: _("Declared paid"),
    LineStatus.FAILED: _("Declared not paid"),
    LineStatus.RETURNED: _("Declared that it came back"),
}


def movement_page(source: str) -> str:
    try:
        return reverse("admin:reconciliation_statementline_change", args=[quote(source)])
    except NoReverseMatch:
        return ""


def movement(source: str, moved: Decimal, booked_on: date | None) -> str | SafeString:
    """A link to the bank's movement, which two of one day tell apart."""
    if not source:
        return "-"
    parts = {"number": source, "amount": amount(moved, CURRENCY), "day": day(booked_on)}
    shown = gettext("Movement %(number)s · %(amount)s · %(day)s") % parts
    if not (address := movement_page(source)):
        return shown
    return anchor(address, shown, title=source)


def movements_table(line: BatchLine) -> dict[str, Any] | None:
    """What the bank shows, one movement below the other. None without an open question."""
    found = list(line.findings.order_by("id"))
    if not found:
        return None
    rows = [_proof(line, LineStatus.COMPLETED, line.debit_source, line.debited_on)]
    rows += [_proof(line, LineStatus.RETURNED, line.return_source, line.returned_on)]
    rows += [_finding(one) for one in found]
    headers = [_("what"), _("movement"), _("found at"), _("closed"), _("reason")]
    return table(_("Movements of the bank"), headers, [row for row in rows if row])


def _proof(
    line: BatchLine, status: LineStatus, source: str, booked_on: date | None
) -> list[object]:
    if not source:
        return []
    kind = "success" if status == LineStatus.COMPLETED else "default"
    return [badge(status.label, kind), movement(source, line.amount, booked_on), "-", "-", "-"]


def _finding(one: LineFinding) -> list[object]:
    return [
        badge(SHORT_FINDINGS[FindingKind(one.kind)], "default" if one.closed_at else "danger"),
        movement(one.source, one.amount, one.booked_on),
        _whole(when(one.found_at)),
        f"{when(one.closed_at)} · {one.closed_by}" if one.closed_at else "-",
        one.close_reason or "-",
    ]


def _whole(text: str) -> SafeString:
    return format_html('<span class="whitespace-nowrap">{}</span>', text)


def history(line: BatchLine) -> list[TimelineLine]:
    created = TimelineLine(at=line.created_at, what=gettext("The payment entered the batch"))
    facts = [created, *finding_lines(line.findings.all())]
    hidden, outcomes = sources(line), _outcomes(line)
    return [
        replace(one, what=_what(one, outcomes), detail=_without(str(one.detail), hidden))
        for one in told_once(timeline([line.pk], facts))
    ]


def finding_lines(found: Iterable[LineFinding], *, with_code: bool = False) -> list[TimelineLine]:
    return [
        TimelineLine(
            at=one.found_at,
            what=one.get_kind_display(),
            who=gettext("the bank"),
            detail=" · ".join(
                [
                    *([one.line.code] if with_code else []),
                    *(amount(one.amount, CURRENCY), day(one.booked_on)),
                ]
            ),
            kind="trouble",
            href=movement_page(one.source) or None,
        )
        for one in found
    ]


def _outcomes(line: BatchLine) -> dict[object, str]:
    """{time: state} of what persons declared."""
    rows = AuditEntry.objects.filter(subject_id=line.pk, action=DECLARED)
    return {
        at: str(details.get("outcome", "")) for at, details in rows.values_list("at", "details")
    }


def _what(one: TimelineLine, outcomes: dict[object, str]) -> object:
    if one.what != action_words(DECLARED):
        return one.what
    return DECLARED_WORDS.get(LineStatus(outcomes.get(one.at) or LineStatus.PENDING), one.what)


def _without(detail: str, hidden: set[str]) -> str:
    return " · ".join(part for part in detail.split(" · ") if part not in hidden)


def sources(line: BatchLine) -> set[str]:
    """Ids of the bank's movements, which the page shows as links."""
    return {line.debit_source, line.return_source} - {""}
