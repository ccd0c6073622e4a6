"""A day of an acquirer in three columns: our charges, its files, the bank.

The account is what the acquirer owes us: payments come in, and what it keeps and disburses goes
out. The bank has no word about payments, so that its column has the file's.
"""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from payments.collect.models import Charge
from payments.core import days, money
from payments.core.ids import first_of
from payments.rails.models import ProviderAccount
from payments.reconciliation.models import (
    AccountKind,
    Disbursement,
    DisbursementRow,
    DisbursementStatus,
    Flow,
    ReconciledDay,
)
from payments.reconciliation.services.days import disbursed
from payments.reconciliation.services.days.disbursed import DISBURSEMENT, ORDER, Unknown
from payments.reconciliation.services.days.values import (
    NOTHING,
    Columns,
    DayReport,
    Item,
    Kind,
    Record,
    at_once,
    difference,
    sum_flows,
    within_window,
)
from payments.reconciliation.services.disbursements.tariffs import TariffDifference, Tariffs


def compute(account: ProviderAccount, day: date, today: date) -> DayReport:
    rows = list(
        DisbursementRow.objects.filter(account=account, paid_on=day)
        .select_related("charge", "disbursement")
        .order_by("pk")
    )
    items = [*_collected(rows, day), *_not_in_files(account, day)]
    items += [*_kept(rows), *_tariff_notes(account, rows, day), *_sent(account, day)]
    return DayReport(
        account_kind=AccountKind.ACQUIRER,
        account=account.pk,
        day=day,
        today=today,
        opening=_opening(account, day),
        flows=sum_flows(items),
        differences=[
            difference(item, day=day, today=today) for item in items if item.is_difference
        ],
        stated=None,
        is_covered=bool(rows),
    )


def _collected(rows: list[DisbursementRow], day: date) -> Iterator[Item]:
    unknown = disbursed.find_unknown({row.disbursement for row in rows})
    by_row = {one.row_id: one for found in unknown.values() for one in found}
    for row in rows:
        yield _payment(row, by_row.get(row.pk), day)


def _payment(row: DisbursementRow, unknown: Unknown | None, day: date) -> Item:
    known = row.gross if unknown is None else unknown.known
    of_order = (Record(ORDER, row.charge.order_id),) if row.charge else ()
    return Item(
        flow=Flow.COLLECTIONS,
        key=f"payment:{row.pk}",
        columns=Columns(books=known, provider=row.gross, bank=row.gross),
        has_provider=True,
        kind=Kind.AMOUNT_DIFFERS if known else Kind.MISSING_HERE,
        cause="payment_smaller_here" if row.charge else "payment_unknown",
        facts={
            "transaction": row.transaction_id,
            "gross": money.text(row.gross),
            "known": money.text(known),
        },
        records=(Record(DISBURSEMENT, row.disbursement_id), *of_order),
        due_on=at_once(day),
    )


def _not_in_files(account: ProviderAccount, day: date) -> Iterator[Item]:
    """Charges that were started on the day and paid, and that no file has."""
    start, end = days.start_of(day), days.start_of(day + days.ONE_DAY)
    # Ids sort by time. They are made a moment before `created_at`, at most.
    first, last = first_of("chg", start - days.ONE_DAY), first_of("chg", end + days.ONE_DAY)
    paid = Charge.objects.filter(
        pk__gte=first,
        pk__lt=last,
        created_at__gte=start,
        created_at__lt=end,
        provider=account.pk,
        received__gt=0,
        origin=None,
    )
    in_files = DisbursementRow.objects.filter(account=account).exclude(charge=None)
    rows = paid.exclude(pk__in=in_files.values("charge")).order_by("pk")
    for pk, order, received in rows.values_list("pk", "order_id", "received"):
        yield Item(
            flow=Flow.COLLECTIONS,
            key=f"charge:{pk}",
            columns=Columns(books=received),
            has_provider=True,
            kind=Kind.MISSING_THERE,
            cause="not_in_file",
            facts={"received": money.text(received)},
            records=(Record(ORDER, order),),
            due_on=within_window(day),
        )


def _kept(rows: list[DisbursementRow]) -> Iterator[Item]:
    kept = sum((row.gross - row.net for row in rows), NOTHING)
    if kept:
        columns = Columns(books=-kept, provider=-kept, bank=-kept)
        yield Item(flow=Flow.COSTS, key="kept", columns=columns, has_provider=True)


def _tariff_notes(
    account: ProviderAccount, rows: list[DisbursementRow], day: date
) -> Iterator[Item]:
    """One for each deduction: a wrong tariff is wrong for every payment."""
    tariffs = Tariffs(account.pk)
    found: dict[str, list[TariffDifference]] = defaultdict(list)
    for row in rows:
        for each in tariffs.differences(row):
            found[each.name].append(each)
    for name, each_of in sorted(found.items()):
        declared = sum((each.declared for each in each_of), NOTHING)
        expected = sum((each.expected for each in each_of), NOTHING)
        yield Item(
            flow=Flow.COSTS,
            key=f"tariff:{name}",
            columns=Columns(),
            cause="tariff",
            facts={
                "name": name,
                "count": str(len(each_of)),
                "declared": money.text(declared),
                "expected": money.text(expected),
            },
            records=(Record(DISBURSEMENT, each_of[0].row.disbursement_id),),
            due_on=at_once(day),
            is_note=True,
        )


def _sent(account: ProviderAccount, day: date) -> Iterator[Item]:
    rows = Disbursement.objects.filter(account=account, day=day).order_by("pk")
    for row in rows:
        has_arrived = row.status == DisbursementStatus.ARRIVED
        bank = -row.net if has_arrived else NOTHING
        yield Item(
            flow=Flow.DISBURSEMENTS,
            key=f"disbursement:{row.pk}",
            columns=Columns(books=-row.net, provider=-row.net, bank=bank),
            has_provider=True,
            kind=Kind.MISSING_THERE,
            cause="not_arrived",
            facts={"account": account.pk, "net": money.text(row.net)},
            records=(Record(DISBURSEMENT, row.pk),),
            due_on=row.due_on,
        )


def _opening(account: ProviderAccount, day: date) -> Columns:
    """What earlier days left: nothing before the first one that was looked at."""
    total = Columns()
    earlier = ReconciledDay.objects.filter(
        account_kind=AccountKind.ACQUIRER, account=account.pk, day__lt=day
    )
    for flows in earlier.values_list("flows", flat=True):
        for amounts in flows.values():
            total = total.plus(Columns(*map(Decimal, amounts)))
    return total
