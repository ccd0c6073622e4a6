"""Two merchants with a row of everything each, and what would give the second one away."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.db import transaction

from merchants.legal.models import LegalData
from merchants.models import Merchant
from merchants.team.access_requests import request_payout_key
from merchants.team.invitations import NewInvitation, invite
from payments.api.models import ApiCall
from payments.bills.services import catalogue as bills
from payments.collect.models import Order
from payments.collect.services.disputes import dispute_decisions
from payments.collect.services.endings.expiry import expire_order
from payments.collect.services.orders.lookup import lock_order
from payments.console import roles
from payments.core import clock
from payments.links.services import links
from payments.payout.models import Bank
from payments.payout.services import approval_rules, beneficiaries
from payments.payout.services import catalogue as payouts
from payments.rates import services as rates
from payments.settlement import days
from payments.topup.services import catalogue as topups
from payments.withdrawals.services import bank_accounts
from tests.admin.conftest import credit, send
from tests.admin.test_webhooks import fail
from tests.payout_batches import flow
from tests.support.charges import create, say, start
from tests.support.factories import payout_body
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of
from tests.support.outgoing_console import SCENES
from tests.support.refunds import asked, paid
from tests.support.settlement_days import MONDAY, Till, at
from webhooks import endpoints
from webhooks.models import Delivery


@dataclass(frozen=True)
class Marks:
    """Texts that stand in one merchant's rows and nowhere else."""

    reference: str
    payer: str
    document: str
    email: str
    beneficiary: str
    account: str
    trace: str
    amount: int  # pesos
    payout: int  # pesos
    person: str

    def texts(self) -> set[str]:
        """As pages write them: amounts are grouped, documents may be masked."""
        shown = {f"{whole:,}".replace(",", ".") for whole in (self.amount, self.payout)}
        tails = {f"···{number[-4:]}" for number in (self.document, self.account)}
        names = {self.reference, self.payer, self.document, self.email, self.beneficiary}
        return {*shown, *tails, *names, self.account, self.trace, self.person}


OWN = Marks(
    *("PROPIO-1", "Petrona Propia", "10203041", "petrona@example.com", "Benito Propio"),
    *("11110001111", "TR-PROPIA", 61_357, 43_219, "lucia"),
)
OTHER = Marks(
    *("AJENO-1", "Zenaida Ajena", "90807064", "zenaida@example.org", "Zoilo Ajeno"),
    *("99998887777", "TR-AJENA", 87_131, 76_543, "zoraida"),
)


@dataclass(frozen=True)
class World:
    """A merchant with its rows, and its administrator."""

    merchant: Merchant
    marks: Marks
    user: User
    order: Order

    def ids(self) -> dict[str, list[Any]]:
        """{model: ids of the merchant's rows} of every page that is open to people of merchants."""
        return {
            model._meta.label_lower: list(
                model._default_manager.filter(**{page.merchant_path: self.merchant.pk}).values_list(
                    "pk", flat=True
                )
            )
            for model, page in admin.site._registry.items()
            if getattr(page, "merchant_path", None) is not None
        }

    def telltales(self) -> set[str]:
        """What no page of another merchant may hold. Ids that are numbers alone say nothing."""
        ids = {pk for pks in self.ids().values() for pk in pks if "_" in str(pk)}
        return {*ids, *self.marks.texts(), self.merchant.name, self.merchant.email}


def furnish(merchant: Merchant, marks: Marks) -> World:
    """Orders, what came after them, what left, webhooks, keys, people, a closed day, an export."""
    api = ApiClient(merchant)
    # First: books go forward in time.
    till = Till(merchant)
    till.collect(at(MONDAY), base=str(marks.amount), fee="44")
    till.close(MONDAY)
    credit(merchant)
    links.create_link(
        merchant=merchant,
        new_link=links.NewLink(fields={"title": f"Enlace de {marks.payer}"}),
        actor=marks.person,
        now=clock.now(),
    )
    user = person_of(merchant, marks.person, roles.MERCHANT_ADMINISTRATOR)
    order = _collected(api, marks)
    _sent(api, marks)
    _team(merchant, marks, user)
    _bank_account(merchant, marks)
    fail(Delivery.objects.filter(merchant=merchant).earliest("id"), excerpt=f"no {marks.trace}")
    _endpoint(merchant, marks)
    ApiCall.objects.create(
        at=clock.now(),
        merchant=merchant,
        key=api.key.public_key,
        method="GET",
        path=f"/api/v1/collect/{order.pk}",
        status=404,
        code="ORDER_NOT_FOUND",
        duration_ms=7,
        request_id=f"req-{marks.reference}",
        subject_id=order.pk,
    )
    answer = browser_of(user).post("/admin/collect/order/export/", {"format": "CSV"})
    assert answer.status_code in (200, 302), answer.content
    return World(merchant, marks, user, order)


def _endpoint(merchant: Merchant, marks: Marks) -> None:
    """Beside the URL of the account."""
    new = endpoints.NewEndpoint(
        url=f"https://{marks.person}.example/{marks.reference}",
        kinds=["payment.failed"],
        description=f"De {marks.payer}",
    )
    endpoints.create_endpoint(merchant=merchant, new=new, actor=marks.person, now=clock.now())


def _bank_account(merchant: Merchant, marks: Marks) -> None:
    LegalData.objects.create(merchant=merchant, legal_name=marks.beneficiary, nit="890903938")
    new = bank_accounts.NewAccount(
        merchant=merchant,
        bank="bancolombia",
        account_type="SAVINGS",
        account_number=marks.account,
    )
    bank_accounts.enter(new=new, actor=marks.person, reason="Cuenta propia", now=clock.now())


def _team(merchant: Merchant, marks: Marks, user: User) -> None:
    """A colleague who is invited, and a key that waits for a second person."""
    new = NewInvitation(
        email=marks.email, name=marks.payer, roles=(roles.MERCHANT_STAFF,), merchant=merchant
    )
    invite(new=new, actor=user, reason=f"Es {marks.payer}", now=clock.now())
    request_payout_key(
        merchant=merchant,
        label=marks.reference,
        actor=user,
        reason=f"Para {marks.payer}",
        now=clock.now(),
    )


def _collected(api: ApiClient, marks: Marks) -> Order:
    body = {
        "reference": marks.reference,
        "amount": marks.amount,
        "customerName": marks.payer,
        "customerDocNumber": marks.document,
        "customerEmail": marks.email,
        "description": f"Para {marks.payer}",
    }
    order = paid(api, **body)
    order.charges.update(trace_code=marks.trace)
    asked(api, order, key=f"r-{marks.reference}", amount=1000, reason=f"Pidió {marks.payer}")
    dispute_decisions.open_by_operator(
        order=order,
        claim=dispute_decisions.NewDispute(
            kind="DISPUTE",
            amount=Decimal(2000),
            reason=f"Dice {marks.payer}",
            evidence_due_at=clock.now() + timedelta(days=5),
        ),
        actor="ana",
        now=clock.now(),
    )
    late = create(api, **{**body, "reference": f"{marks.reference}-B"})
    charge = start(late, "BANK_TRANSFER")
    with transaction.atomic():
        expire_order(order=lock_order(late.pk), now=clock.now())
    say(charge, "RECEIVED", marks.amount, trace_code=f"{marks.trace}-2")
    return order


def _sent(api: ApiClient, marks: Marks) -> None:
    send(
        api,
        payout_body(
            amount=marks.payout,
            recipientName=marks.beneficiary,
            recipientDocNumber=marks.document,
            accountNumber=marks.account,
        ),
    )
    _team_rows(api.merchant, marks)
    SCENES["topup"].make(api)
    SCENES["bill"].make(api)
    _by_file(api, marks)


def _by_file(api: ApiClient, marks: Marks) -> None:
    assert api.merchant is not None
    row = flow.row(
        reference=marks.reference,
        name=marks.beneficiary,
        document=marks.document,
        account=marks.account,
        amount=str(marks.payout),
    )
    flow.check(api.merchant, flow.csv(row), name=f"{marks.reference}.csv")


def _team_rows(merchant: Merchant, marks: Marks) -> None:
    """A beneficiary, and rules that wait for a confirmation."""
    person = User.objects.get(username=marks.person)
    beneficiaries.create(
        merchant=merchant,
        details=beneficiaries.Details(
            name=marks.beneficiary,
            doc_type="CC",
            doc_number=marks.document,
            network="BANK",
            bank=Bank.objects.get(pk="bancolombia"),
            account_type="SAVINGS",
            account_number=marks.account,
        ),
        user=person,
        now=clock.now(),
    )
    tier = approval_rules.Tier(above=Decimal(marks.payout), people=2)
    reason = f"Acordado con {marks.person}"
    new = approval_rules.NewPolicy(merchant=merchant, tiers=[tier], reason=reason)
    approval_rules.propose(new=new, user=person, now=clock.now())


def load_catalogues() -> None:
    """Exchange rates, payout methods and banks, mobile operators, agreements."""
    for module in (payouts, topups, bills):
        module.load_catalogue(now=clock.now())
    rates.load_default_rates(now=clock.now())


def today() -> str:
    """The day in Bogotá, as forms take it."""
    return f"{days.day_of(clock.now())}"
