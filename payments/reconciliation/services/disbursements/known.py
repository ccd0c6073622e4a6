"""Files overlap: a report of a week has the days of the daily ones."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from django.utils.translation import gettext as _

from payments.core import money
from payments.reconciliation.formats.values import FileRefused
from payments.reconciliation.models import Disbursement, DisbursementRow
from payments.reconciliation.settlement_formats.values import (
    DEDUCTIONS,
    ParsedDisbursement,
    ParsedPayment,
)

CHUNK = 5000
AMOUNTS = ("gross", *DEDUCTIONS, "net")


def leave_out_known(account: str, parsed: Sequence[ParsedDisbursement]) -> list[ParsedDisbursement]:
    """The disbursements that no earlier file had.

    Raises FileRefused if an earlier file says something else of a disbursement or a payment.
    """
    stored = {(row.day, row.number): row for row in _stored(account, {one.day for one in parsed})}
    new = [one for one in parsed if (one.day, one.number) not in stored]
    for one in parsed:
        if (row := stored.get((one.day, one.number))) is not None:
            _check_same(row, one)
    _check_payments_are_new(account, new)
    return new


def _stored(account: str, days: set[date]) -> Iterable[Disbursement]:
    rows = Disbursement.objects.filter(account=account, day__in=days)
    return rows.select_related("file")


def _check_same(row: Disbursement, one: ParsedDisbursement) -> None:
    before = {(row.transaction_id, row.is_reversal): row for row in row.rows.all()}
    where = {"day": row.day, "file": row.file.name}
    for payment in one.payments:
        known = before.get(payment.key)
        if known is None:
            text = _("%(file)s has the disbursement of %(day)s without this payment.")
            raise FileRefused(text % where, payment.line)
        if differs := _first_difference(known, payment):
            text = _("%(file)s has %(before)s for this payment's %(name)s, this file %(now)s.")
            raise FileRefused(text % {**where, **differs}, payment.line)
    if len(before) != len(one.payments):
        text = _("%(file)s has %(before)d payments in the disbursement of %(day)s, this %(now)d.")
        counts = {"before": len(before), "now": len(one.payments)}
        raise FileRefused(text % {**where, **counts})


def _first_difference(known: DisbursementRow, payment: ParsedPayment) -> dict[str, str]:
    now = {"gross": payment.gross, "net": payment.net, **payment.deductions}
    for name in AMOUNTS:
        before = getattr(known, name)
        if before != now.get(name, 0):
            after = money.text(now[name]) if name in now else "0"
            return {"name": name, "before": money.text(before), "now": after}
    return {}


def _check_payments_are_new(account: str, new: Sequence[ParsedDisbursement]) -> None:
    payments = {payment.key: payment for one in new for payment in one.payments}
    for ids in _chunks(sorted({key[0] for key in payments})):
        rows = DisbursementRow.objects.filter(account=account, transaction_id__in=ids)
        for row in rows.select_related("disbursement__file"):
            payment = payments.get((row.transaction_id, row.is_reversal))
            if payment is None:
                continue
            text = _("%(file)s has this payment in the disbursement of %(day)s already.")
            before = row.disbursement
            reason = text % {"file": before.file.name, "day": before.day}
            raise FileRefused(reason, payment.line)


def _chunks(ids: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(ids), CHUNK):
        yield ids[start : start + CHUNK]
