"""Thirty days of two merchants, always the same: what the pictures of the README show.

Made by HTTP and services under a clock that is moved; chance comes from one seed. Everybody in it
is invented.
"""

import heapq
import itertools
import random
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any
from unittest import mock

import time_machine
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from merchants import services as merchants
from merchants.models import Merchant
from payments.collect.models import Charge, Order
from payments.collect.services.charges import charge_creation
from payments.collect.services.disputes import dispute_decisions
from payments.collect.services.endings.expiry import expire_order
from payments.collect.services.orders.lookup import lock_order
from payments.console import roles
from payments.core import clock, ids
from payments.core.models import Heartbeat
from payments.payout.services.engine import engine
from payments.settlement.services import day_closing
from tests.admin.conftest import credit, send
from tests.support.charges import create, say, start
from tests.support.factories import MerchantFactory, payout_body
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import person_of
from tests.support.outgoing_console import SCENES
from tests.support.refunds import asked
from tests.support.two_tenants import load_catalogues
from webhooks import leases
from webhooks.models import Failure
from webhooks.sender import DeliveryResponse

DAYS = 30
NOW = datetime.fromisoformat("2026-03-18T15:12:00-05:00")  # a Wednesday in Bogotá
SEED = 20260318
PAYERS = (
    "Lucía Ñáñez",
    "Camilo Peñuela",
    "Adriana Cuaspud",
    "Tomás Quiñones",
    "Yaneth Bolívar",
    "Julián Muñoz",
    "Marcela Iguarán",
    "Andrés Chicangana",
)
BASKETS = (
    ("Café de Nariño, 2 libras", 84_000),
    ("Café del Huila en grano, 500 g", 46_500),
    ("Prensa francesa y molino", 189_900),
    ("Suscripción de marzo", 62_000),
    ("Caja de degustación", 118_000),
    ("Taller de baristas, un cupo", 240_000),
)
SUPPLIERS = (
    ("Finca La Esperanza", "bancolombia", "40512345678"),
    ("Empaques del Sur", "davivienda", "00912345670"),
    ("Rosalba Tisoy", "nequi", "3001234567"),
    ("Transportes Galeras", "bancolombia", "40598765432"),
)
METHODS = ("PSE",) * 13 + ("BANK_TRANSFER",) * 5 + ("CRYPTO",) * 2
# How orders end: most are paid, some tries fail, some payers never come back.
ENDS = ("paid",) * 17 + ("failed",) * 2 + ("expired",)


Steps = Iterator[datetime]


class Month:
    """The whole story; `days` fewer than thirty where no test looks at the charts.

    Each order and payout is a story of its own that yields when it goes on; all of them are told
    in the order of time, as the books want it.
    """

    def __init__(self, days: int = DAYS) -> None:
        self.days = days
        self.chance = random.Random(SEED)
        self.number = 1000
        self.unheard: set[str] = set()  # orders whose webhooks find no receiver
        self._waiting: list[tuple[datetime, int, Steps]] = []
        self._serial = itertools.count()

    def happen(self) -> None:
        """From the first account to now."""
        with self.at(NOW - timedelta(days=self.days + 1)):
            load_catalogues()
            self.cafe = self._open("Café Andino", "caja@cafeandino.example")
            self.loom = self._open("Tejidos Guatavita", "hola@tejidosguatavita.example")
            self.gabriel = person_of(self.cafe.merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR)
            self.ana = User.objects.create_superuser("ana", "ana@pasarela.example", "not typed")
            for api in (self.cafe, self.loom):
                with transaction.atomic():
                    credit(api.merchant)
        for ago in range(self.days, 0, -1):
            self._plan_day(NOW - timedelta(days=ago))
        self._plan_today()
        while self._waiting and self._waiting[0][0] <= NOW:
            moment, _number, steps = heapq.heappop(self._waiting)
            with self.at(moment):
                if (later := next(steps, None)) is not None:
                    self.plan(later, steps)

    def plan(self, moment: datetime, steps: Steps) -> None:
        """The story goes on then."""
        heapq.heappush(self._waiting, (moment, next(self._serial), steps))

    @contextmanager
    def at(self, moment: datetime) -> Iterator[None]:
        """The clock stands at the moment, and chance is the seed's."""
        chance = self.chance

        def token(_bytes: int = 32) -> str:
            return "".join(chance.choices("abcdefghijkmnpqrstuvwxyz23456789", k=22))

        with (
            time_machine.travel(moment, tick=False),
            mock.patch.object(ids, "os", SimpleNamespace(urandom=chance.randbytes)),
            mock.patch.object(secrets, "randbelow", chance.randrange),
            mock.patch.object(secrets, "choice", chance.choice),
            mock.patch.object(secrets, "token_urlsafe", token),
        ):
            yield

    def _open(self, name: str, email: str) -> ApiClient:
        url = f"https://{email.partition('@')[2]}/webhooks"
        return ApiClient(MerchantFactory(name=name, email=email, webhook_url=url))

    def _plan_day(self, day: datetime) -> None:
        # At weekends more is bought, and no bank pays out.
        is_weekend = day.weekday() >= 5
        for api, least, most in ((self.cafe, 5, 9), (self.loom, 2, 5)):
            for _ in range(self.chance.randint(least, most) + 2 * is_weekend):
                moment = day + timedelta(hours=self.chance.uniform(-7, 5.5))
                self.plan(moment, self.sell(api, self.chance.choice(ENDS)))
        if not is_weekend:
            self.plan(day + timedelta(hours=1), self.pay_out(self.cafe))
        if day.weekday() in (1, 4):
            self.plan(day + timedelta(hours=1, minutes=20), self.pay_out(self.loom))
        self.plan((day + timedelta(days=1)).replace(hour=0, minute=15), self.close())

    def _plan_today(self) -> None:
        for minutes in (410, 351, 290, 204, 187, 142, 96, 51):
            end = "failed" if minutes == 187 else "paid"
            self.plan(ago(minutes), self.sell(self.loom if minutes % 3 else self.cafe, end))
        for minutes, supplier in ((240, 0), (232, 1), (75, 3)):
            self.plan(ago(minutes), self.pay_out(self.cafe, supplier))
        self.plan(ago(330), self.late())
        self.plan(ago(126), self.buy())
        self.plan(ago(121), self.contest())
        self.plan(ago(70), self.spend())
        # Yesterday's has had its five attempts by now.
        for minutes in (28 * 60, 15):
            self.plan(ago(minutes), self.shout())
        self.plan(NOW, self.at_last())

    def sell(self, api: ApiClient, end: str, method: str = "", is_heard: bool = True) -> Steps:
        """Ordered, begun two minutes later, and ended some way; then the shop is told."""
        what, price = self.chance.choice(BASKETS)
        method = method or self.chance.choice(METHODS)
        order = self.order(api, what, price, self.chance.choice(PAYERS))
        if not is_heard:
            self.unheard.add(order.pk)
        yield after(minutes=2)
        charge = start(order, method)
        if end == "paid":
            yield after(seconds=self.chance.randint(45, 200))
            pay(charge, f"{self.chance.randrange(10**9, 10**10)}")
        elif end == "failed":
            yield after(seconds=self.chance.randint(45, 200))
            say(charge, "FAILED", reason="Rechazado por el banco")
        else:
            yield after(hours=1)
            say(charge, "ABANDONED")
            expire(order)
        yield after(seconds=1)
        self.tell()

    def pay_out(self, api: ApiClient, supplier: int | None = None, **changes: Any) -> Steps:
        """Asked for, sent, and at the beneficiary's within half an hour; one in nine comes back."""
        if supplier is None:
            supplier = self.chance.randrange(len(SUPPLIERS))
        amount = self.chance.randrange(180, 900, 20) * 1000
        out = send(api, payout(supplier, amount=amount), key=f"out-{next(self._serial)}")
        engine.process_due(now=clock.now())
        yield after(minutes=self.chance.randint(4, 30))
        end = "FAILED" if self.chance.random() < 0.11 else "COMPLETED"
        answer = api.post(f"/sandbox/payout/{out.pk}", {"status": end})
        assert answer.status_code == 200, answer.content
        yield after(seconds=1)
        self.tell()

    def close(self) -> Steps:
        """Yesterday, in the night."""
        while due := day_closing.due_days(now := clock.now()):
            for each in due:
                day_closing.close_day(each, now=now)
        yield after(seconds=1)
        self.tell()

    def late(self) -> Steps:
        """A transfer after its order had expired: unmatched funds."""
        order = self.order(self.loom, *BASKETS[4], PAYERS[5])
        yield after(minutes=1)
        charge = start(order, "BANK_TRANSFER")
        yield after(hours=1)
        expire(order)
        yield after(minutes=109)
        say(charge, "RECEIVED", order.amount, trace_code="TR4471902256")

    def buy(self) -> Steps:
        """The first bank said no, the second one yes, and a part is asked back."""
        self.bought = order = self.order(self.cafe, "Café y molino de mano", 142_500, PAYERS[1])
        yield after(minutes=1, seconds=12)
        first = start(order)
        yield after(minutes=1, seconds=28)
        second = again(order)
        yield after(seconds=25)
        say(first, "FAILED", reason="Fondos insuficientes")
        yield after(minutes=3, seconds=26)
        pay(second, "1457009318")
        yield after(seconds=1)
        self.tell()
        yield ago(24)
        asked(self.cafe, order, amount=46_500, reason="Una de las bolsas llegó abierta")

    def contest(self) -> Steps:
        """The payer does not know of it."""
        order = self.order(self.cafe, *BASKETS[0], PAYERS[6])
        yield after(minutes=2)
        charge = start(order)
        yield after(minutes=2)
        pay(charge, "1457116402")
        yield ago(35)
        order.refresh_from_db()
        dispute_decisions.open_by_operator(
            order=order,
            claim=dispute_decisions.NewDispute(
                kind="DISPUTE",
                amount=order.base_amount,
                reason="El pagador dice que no reconoce la compra",
                evidence_due_at=NOW + timedelta(days=9),
            ),
            actor="ana",
            now=clock.now(),
        )

    def spend(self) -> Steps:
        """A top-up, a bill, and two payouts that are not done: one waits for an approval."""
        SCENES["topup"].make(self.cafe, key="topup-1")
        SCENES["bill"].make(self.cafe, key="bill-1")
        yield ago(44)
        Merchant.objects.filter(pk=self.cafe.merchant.pk).update(
            payout_approval_above=2_000_000, payout_approval_set_by="beto"
        )
        send(self.cafe, payout(2, amount=2_450_000, description="Nómina de marzo"), key="big")
        yield ago(19)
        send(self.cafe, payout(0, amount=680_000), key="last")
        engine.process_due(now=clock.now())

    def shout(self) -> Steps:
        """The shop's receiver is down, at every attempt."""
        yield from self.sell(self.loom, "paid", "PSE", is_heard=False)
        for pause in settings.WEBHOOK_RETRY_DELAYS[1:]:
            yield after(seconds=pause + 20)
            self.tell()

    def at_last(self) -> Steps:
        """What the payer's pages show, and the workers' signs of life."""
        for name in ("money", "pump"):
            Heartbeat.objects.update_or_create(name=name, defaults={"at": NOW})
        self.open, self.receipt = (self.order(self.cafe, *BASKETS[0], PAYERS[0]) for _ in range(2))
        pay(start(self.receipt), "1458820361")
        yield from ()

    def order(self, api: ApiClient, what: str, amount: int, payer: str) -> Order:
        """As the shop's backend creates it."""
        self.number += 1
        place = PAYERS.index(payer)
        return create(
            api,
            reference=f"PEDIDO-{self.number}",
            amount=amount,
            description=what,
            customerName=payer,
            customerEmail=f"{'abcdefgh'[place]}.{self.number}@correo.example",
            customerDocNumber=f"10203040{place}{place}",
            callbackUrl=f"https://{api.merchant.email.partition('@')[2]}/gracias",
        )

    def tell(self) -> None:
        """Every webhook that is due reaches its receiver, or finds it down."""
        now = clock.now()
        times = {"started_at": now, "finished_at": now}
        while claimed := leases.claim(now=now, size=500):
            leases.record(
                [
                    leases.Result(claimed=each, response=self._response(each), **times)
                    for each in claimed
                ]
            )

    def _response(self, claimed: leases.Claimed) -> DeliveryResponse:
        if not any(order.encode() in claimed.body for order in self.unheard):
            return DeliveryResponse(duration_ms=118, status=200, excerpt="ok")
        unavailable = {"status": 503, "excerpt": "Service Unavailable"}
        return DeliveryResponse(duration_ms=2041, error=Failure.HTTP_STATUS, **unavailable)


def after(**time: float) -> datetime:
    return clock.now() + timedelta(**time)


def ago(minutes: int) -> datetime:
    return NOW - timedelta(minutes=minutes)


def pay(charge: Charge, trace_code: str) -> None:
    say(charge, "SUCCEEDED", charge.amount, trace_code=trace_code)


def expire(order: Order) -> None:
    with transaction.atomic():
        expire_order(order=lock_order(order.pk), now=clock.now())


def again(order: Order) -> Charge:
    """The payer comes back and tries another bank."""
    return charge_creation.start_charge(
        order=order,
        choice=charge_creation.PaymentChoice(
            method="PSE",
            payer=charge_creation.payer_of(order),
            fields={"bankCode": "1051", "personType": "NATURAL"},
            return_url=order.collect_url,
            is_new_charge=True,
        ),
        now=clock.now(),
    )


def payout(supplier: int, **changes: Any) -> dict[str, Any]:
    """To one of the shop's suppliers."""
    name, bank, account = SUPPLIERS[supplier]
    return payout_body(
        recipientName=name,
        recipientDocNumber=f"79.123.45{supplier}",
        bankCanonicalId=bank,
        accountNumber=account,
        **{"description": "Factura de marzo", **changes},
    )


def dress(merchant: Merchant, colour: str, logo: bytes) -> None:
    """The merchant's colour and logo."""
    Merchant.objects.filter(pk=merchant.pk).update(
        brand_color=colour, logo=merchants.keep_logo(content=logo)
    )
