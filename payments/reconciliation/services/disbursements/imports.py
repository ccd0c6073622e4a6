"""Takes a settlement file of an acquirer: whole, or not at all."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal

from django.db import transaction

from payments.core import audit, days
from payments.core.business_days import business_days_after
from payments.core.text import storable
from payments.ledger import recipes
from payments.ledger.models import Cost
from payments.rails.models import ProviderAccount
from payments.reconciliation import settlement_formats
from payments.reconciliation.formats.values import FileRefused
from payments.reconciliation.models import Disbursement, DisbursementRow, SettlementFile
from payments.reconciliation.services.disbursements import charges, known
from payments.reconciliation.services.disbursements.errors import (
    NoSettlementFiles,
    SettlementRefused,
)
from payments.reconciliation.settlement_formats.values import (
    DEDUCTIONS,
    ParsedDisbursement,
    ParsedPayment,
)

# The bank shows a disbursement on its day or until this many business days later.
WINDOW_DAYS = 3
CHUNK = 1000
NOTHING = Decimal(0)
COSTS = {
    "commission": Cost.PROVIDER_COMMISSION,
    "vat": Cost.VAT,
    "ica_withheld": Cost.ICA_WITHHOLDING,
    "vat_withheld": Cost.VAT_WITHHOLDING,
    "income_tax_withheld": Cost.INCOME_WITHHOLDING,
    "consumption_tax": Cost.CONSUMPTION_TAX,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementUpload:
    """account  the slug of the acquirer's provider account.
    day      of the disbursement, for a file that does not name it.
    """

    account: str
    name: str
    data: bytes = field(repr=False)
    day: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenFile:
    """is_new  False: this very file was taken before, and nothing was changed."""

    file: SettlementFile
    is_new: bool


def import_settlement(*, upload: SettlementUpload, actor: str, now: datetime) -> TakenFile:
    """Raises NoSettlementFiles and SettlementRefused, which leaves an audit row."""
    account = _account(upload.account)
    sha256 = hashlib.sha256(upload.data).hexdigest()
    try:
        parsed = _parse(account, upload, now)
        with transaction.atomic():
            return _take(account, upload, sha256, parsed, actor, now)
    except FileRefused as error:
        audit.record(
            actor=actor,
            action="settlement_file.refused",
            subject=account,
            reason=str(error),
            file=upload.name[:200],
            sha256=sha256,
        )
        raise SettlementRefused(error.reason, error.line) from None


def _account(slug: str) -> ProviderAccount:
    account = ProviderAccount.objects.filter(pk=slug).first()
    if account is None or account.provider not in settlement_formats.PARSERS:
        raise NoSettlementFiles
    return account


def _parse(
    account: ProviderAccount, upload: SettlementUpload, now: datetime
) -> list[ParsedDisbursement]:
    parse = settlement_formats.PARSERS[account.provider]
    return parse(upload.data, today=days.day_of(now), day=upload.day)


def _take(
    account: ProviderAccount,
    upload: SettlementUpload,
    sha256: str,
    parsed: Sequence[ParsedDisbursement],
    actor: str,
    now: datetime,
) -> TakenFile:
    # Files of one account come one after the other.
    ProviderAccount.objects.select_for_update(no_key=True).get(pk=account.pk)
    if before := SettlementFile.objects.filter(account=account, sha256=sha256).first():
        return TakenFile(file=before, is_new=False)
    new = known.leave_out_known(account.pk, parsed)
    file = SettlementFile.objects.create(
        account=account,
        name=storable(upload.name, 200),
        sha256=sha256,
        size=len(upload.data),
        payments=sum(len(one.payments) for one in parsed),
        new_payments=sum(len(one.payments) for one in new),
        imported_by=actor,
        imported_at=now,
    )
    _store(file, new, now)
    audit.record(
        actor=actor,
        action="settlement_file.imported",
        subject=file,
        account=account.pk,
        sha256=sha256,
        disbursements=[f"{one.day} {one.net}" for one in new],
    )
    return TakenFile(file=file, is_new=True)


def _store(file: SettlementFile, new: Sequence[ParsedDisbursement], now: datetime) -> None:
    payments = [payment for one in new for payment in one.payments]
    found = charges.find_charges(file.account_id, payments)
    charges.keep_fees(found, payments)
    for one in new:
        disbursement = Disbursement.objects.create(
            account=file.account,
            file=file,
            day=one.day,
            number=one.number,
            payments=len(one.payments),
            gross=one.gross,
            **{name: one.total(name) for name in DEDUCTIONS},
            net=one.net,
            due_on=business_days_after(one.day, WINDOW_DAYS),
            created_at=now,
        )
        rows = [_row(disbursement, payment, found) for payment in one.payments]
        DisbursementRow.objects.bulk_create(rows, batch_size=CHUNK)
        _post(disbursement, now)


def _row(
    disbursement: Disbursement, payment: ParsedPayment, found: Mapping[int, str]
) -> DisbursementRow:
    return DisbursementRow(
        disbursement=disbursement,
        account_id=disbursement.account_id,
        file_line=payment.line,
        transaction_id=payment.key[0],
        reference=payment.reference,
        charge_id=found.get(payment.line),
        paid_on=payment.paid_on or disbursement.day,
        gross=payment.gross,
        **{name: payment.deductions.get(name, NOTHING) for name in DEDUCTIONS},
        net=payment.net,
        is_reversal=payment.gross < 0,
    )


def _post(row: Disbursement, now: datetime) -> None:
    taken = {cost: getattr(row, name) for name, cost in COSTS.items() if getattr(row, name)}
    declared = recipes.Disbursement(
        disbursement_id=row.pk, account=row.account_id, gross=row.gross, taken=taken
    )
    if row.gross or taken:
        recipes.disbursement_declared(declared, now=now)
