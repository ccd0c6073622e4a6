"""Tells the service a generated month, as merchants, payers, operators and the bank would.

Everything goes through the service's own doors, in the order of time, under a clock that is moved.
"""

import heapq
import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from unittest import mock

import structlog
import time_machine

from payments.collect.models import Charge
from payments.collect.services.endings import expiry
from payments.core import clock
from payments.core import due as due_rows
from payments.payment_files import tasks as file_tasks
from payments.payout.services import bank_codes
from payments.payout.services.engine import engine
from payments.providers.account import Mode
from payments.rails.models import ProviderAccount
from payments.reconciliation import tasks
from payments.reconciliation.models import StatementFile
from payments.reconciliation.services.bank_accounts import NewBankAccount, create_bank_account
from payments.reconciliation.services.disbursements import imports as settlement_imports
from payments.reconciliation.services.imports import NewStatement, import_statement
from tests.rails.accounts import enter, route
from tests.reconciliation import told_batches
from tests.reconciliation.shop import settlements
from tests.reconciliation.shop.bank_calendar import moment
from tests.reconciliation.shop.deliveries import Delivery, deliveries
from tests.reconciliation.shop.lines import Bank
from tests.reconciliation.shop.plan import Batch, Month, Names, Order, Payout
from tests.reconciliation.shop.writers.period import Account
from tests.support.charges import create, say, start
from tests.support.factories import payout_body
from tests.support.fixtures import ApiClient
from tests.support.funds import fund

OPERATOR = "olga"
NUMBER = "12345678901"
OWN, FILES, CARDS = "own", "files", "wompi-main"
CREDENTIALS = {
    "bank_code": "1007",
    "account_number": NUMBER,
    "account_type": "SAVINGS",
    "holder": "Tienda Ejemplo SAS",
    "document": "900123456",
}
OF_FILES = {**CREDENTIALS, "payment_class": "220", "application": "I", "purpose": "PAGOS"}


@dataclass
class Measured:
    """Seconds of the service's own work."""

    importing: float = 0
    matching: float = 0
    files: int = 0


@dataclass
class ToldService:
    api: ApiClient
    month: Month
    format: str
    names: Names = field(default_factory=lambda: Names({}, {}, {}))
    measured: Measured = field(default_factory=Measured)
    errors: list[str] = field(default_factory=list)
    charges: dict[str, str] = field(default_factory=dict)  # of orders
    payouts: dict[str, str] = field(default_factory=dict)
    files: list[bytes] = field(default_factory=list)  # payment files, as downloaded
    looks: list[tuple[datetime, Callable[[], None]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.bank = Bank(self.month, self.names)
        self._waiting: list[tuple[datetime, int, Callable[[], None]]] = []
        self._serial = itertools.count()

    def tell(self) -> None:
        """The whole month; what a scanner could not process is in `errors`."""
        with self._noting_errors():
            with self.at(moment(self.month.first_day, -20)):
                self._open()
            self._plan()
            while self._waiting:
                when, _number, step = heapq.heappop(self._waiting)
                with self.at(when):
                    step()

    @contextmanager
    def at(self, when: datetime) -> Iterator[None]:
        """The clock stands then."""
        with time_machine.travel(when, tick=False):
            yield

    def _open(self) -> None:
        fund(self.api.merchant, 500_000_000)
        new = NewBankAccount(
            slug="main",
            label="Bancolombia",
            bank_code="1007",
            number=NUMBER,
            account_type="SAVINGS",
            holder="Tienda Ejemplo SAS",
            document="900123456",
        )
        create_bank_account(new=new, actor=OPERATOR, reason="ours", now=clock.now())
        enter(OWN, "bankfile", "", CREDENTIALS)
        enter(FILES, "pabfile", "", OF_FILES)
        bank_codes.load_codes(account=FILES, actor=OPERATOR)
        route("payin", OWN, method="BANK_TRANSFER")
        route("payin", "simulator", method="PSE")
        route("payout", FILES)
        ProviderAccount.objects.create(
            slug=CARDS,
            provider="wompi",
            label="Wompi",
            mode=Mode.SANDBOX,
            credentials="{}",
            created_at=clock.now(),
        )

    def _plan(self) -> None:
        month = self.month
        for order in month.orders:
            self._when(order.at, self._order, order)
        for sale in month.sales:
            self._when(sale.at, self._sale, sale)
        for payout in month.payouts:
            self._when(payout.at, self._payout, payout)
        for batch in month.batches:
            self._when(batch.at, self._batch, batch)
            self._when(batch.at + timedelta(hours=22), self._bank_answers, batch)
        for day in {one.day for one in month.disbursements}:
            self._when(moment(day, 8), self._settlement, day)
        for day in month.days:
            self._when(moment(day, 24.1), self.bank.book, day)
            self._when(moment(day, 29), self._expire)
        for at, look in self.looks:
            self._when(at, look)
        for delivery in deliveries(month, self.format):
            self._when(delivery.at, self._deliver, delivery)

    def _when(self, at: datetime, step: Callable[..., Any], *args: Any) -> None:
        heapq.heappush(self._waiting, (at, next(self._serial), lambda: step(*args)))

    def _order(self, order: Order) -> None:
        created = create(
            self.api,
            reference=order.key,
            amount=order.amount,
            customerName=order.payer.name,
            customerEmail=order.payer.email,
            customerDocType=order.payer.document_type,
            customerDocNumber=order.payer.document,
            expirationMinutes=order.minutes,
        )
        charge = start(created, "BANK_TRANSFER")
        self.charges[order.key] = charge.pk
        self.names.references[order.key] = charge.instructions["reference"]
        self.names.payables[order.key] = charge.amount

    def _sale(self, sale: Order) -> None:
        created = create(self.api, reference=sale.key, amount=sale.amount)
        charge = start(created)
        Charge.objects.filter(pk=charge.pk).update(
            provider=CARDS, provider_id=settlements.transaction_id(sale.key)
        )
        charge.refresh_from_db()
        say(charge, "SUCCEEDED", charge.amount)
        self.names.payables[sale.key] = charge.amount

    def _payout(self, payout: Payout) -> None:
        to = payout.to
        body = payout_body(
            amount=payout.amount,
            recipientName=to.person.name,
            recipientDocType=to.person.document_type,
            recipientDocNumber=to.person.document,
            bankCanonicalId=to.bank,
            accountType=to.account_type,
            accountNumber=to.number,
            description="Nómina" if payout.is_payroll else "Factura",
        )
        answer = self.api.post("/payout", body, headers={"Idempotency-Key": payout.key})
        assert answer.status_code == 201, answer.content
        self.payouts[payout.key] = answer.body["data"]["payoutId"]
        engine.process_due(now=clock.now())
        self.names.codes[payout.key] = told_batches.code_of(self.payouts[payout.key])

    def _batch(self, batch: Batch) -> None:
        self.files.append(told_batches.hand_over(FILES))

    def _bank_answers(self, batch: Batch) -> None:
        told_batches.bank_answers(batch, self.names)
        self.run_tasks()

    def _settlement(self, day: Any) -> None:
        data = settlements.write(list(self.month.disbursements), self.names, day)
        upload = settlement_imports.SettlementUpload(account=CARDS, name=f"{day}.csv", data=data)
        settlement_imports.import_settlement(upload=upload, actor=OPERATOR, now=clock.now())

    def _expire(self) -> None:
        expiry.expire_due(now=clock.now())

    def _deliver(self, delivery: Delivery) -> None:
        data = delivery.data(self.month, self.bank.lines, Account(NUMBER))
        new = NewStatement(
            name=delivery.name,
            content=data,
            source=StatementFile.Source.COMMAND,
            account="main",
            accepted_gap="the bank sends it later" if delivery.is_after_gap else "",
        )
        started = time.perf_counter()
        import_statement(new=new, actor=OPERATOR, now=clock.now())
        self.measured.importing += time.perf_counter() - started
        self.measured.files += 1
        self.run_tasks()

    def run_tasks(self) -> None:
        started = time.perf_counter()
        tasks.match_due()
        file_tasks.report_lines()
        self.measured.matching += time.perf_counter() - started

    @contextmanager
    def _noting_errors(self) -> Iterator[None]:
        """Scanners log a row that fails and continue; here no row may fail."""

        def note(event: str, **facts: Any) -> None:
            self.errors.append(f"{event} {facts} {structlog.processors._format_exception(True)}")

        with mock.patch.object(due_rows.log, "exception", note):
            yield
