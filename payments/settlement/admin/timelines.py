"""Below a closed day: its taxes, and its figures beside those of the ledger now."""

from decimal import Decimal

from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console.formatting import amount, badge, link, table
from payments.console.timeline import TimelineLine, timeline, who
from payments.ledger.models import Entry
from payments.settlement.models import Settlement
from payments.settlement.services.day_totals import sum_day


def related_tables(settlement: Settlement) -> list[dict[str, object]]:
    """A day without taxes has no table of them."""
    taxes = [_taxes(settlement)] if settlement.tax else []
    return [*taxes, _proof(settlement)]


def timeline_lines(settlement: Settlement) -> list[TimelineLine]:
    closed = TimelineLine(
        at=settlement.closed_at,
        what=gettext("The day %s was closed") % f"{settlement.date:%Y-%m-%d}",
        who=who("clock"),
        detail=amount(settlement.net, settlement.currency),
    )
    return timeline([settlement.pk], [closed])


def _taxes(settlement: Settlement) -> dict[str, object]:
    lines = settlement.tax_lines.select_related("rule").order_by("pk")
    rows = [
        [
            link(line.rule, line.name),
            line.get_kind_display(),
            amount(line.base, settlement.currency),
            amount(line.rate * 100, "%"),
            amount(line.amount, settlement.currency),
        ]
        for line in lines
    ]
    for entry in Entry.objects.filter(subject_id=settlement.pk):
        rows.append([link(entry, entry.get_kind_display()), "-", "-", "-", "-"])
    headers = [_("tax"), _("kind"), _("base"), _("rate"), _("amount")]
    return table(_("Taxes on our fee"), headers, rows)


def _proof(settlement: Settlement) -> dict[str, object]:
    now, _has_postings = sum_day(
        merchant_id=settlement.merchant_id, day=settlement.date, currency=settlement.currency
    )
    pairs = [
        (_("collected"), settlement.collected, now.collected),
        (_("our fee and its taxes"), settlement.fee + settlement.tax, now.fee),
        (_("to the balance"), settlement.net, now.net),
        (_("refunded"), settlement.refunded, now.refunded),
        (_("opening balance"), settlement.opening_balance, now.opening_balance),
        (_("held at the opening"), settlement.opening_held, now.opening_held),
        (_("closing balance"), settlement.closing_balance, now.closing_balance),
        (_("held at the closing"), settlement.closing_held, now.closing_held),
    ]
    currency = settlement.currency
    rows = [
        [name, amount(closed, currency), amount(found, currency), _tie(closed, found)]
        for name, closed, found in pairs
    ]
    headers = [_("figure"), _("as closed"), _("in the ledger now"), _("tie")]
    return table(_("Ledger"), headers, rows)


def _tie(closed: Decimal, found: Decimal) -> SafeString:
    return badge(_("Yes"), "success") if closed == found else badge(_("No"), "danger")
