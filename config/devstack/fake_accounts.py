"""The provider accounts of the fake rails, with routes to them."""

from datetime import datetime

from django.conf import settings

from config.devstack.defaults import read_state
from config.devstack.fakes import FAKES, Fake
from payments.core import clock
from payments.payout.services.bank_codes import load_codes
from payments.rails.models import ProviderAccount
from payments.rails.services import accounts
from payments.rails.services.routes import add_route
from payments.simulator import CODE as SIMULATOR

ACTOR, REASON = "make run", "RAILS=fake"
Status = ProviderAccount.Status
# What the fakes do not carry goes to the simulator.
PRIORITY, LAST_PRIORITY = 10, 900


def connect_fakes() -> None:
    """Enters the accounts of the fakes that run. Accounts of fakes that do not run are off."""
    running = read_state(settings.DATA_DIR).get("fakes", {})
    for fake in FAKES:
        account = ProviderAccount.objects.filter(pk=fake.account).first()
        if fake.account in running:
            _connect(fake, account, running[fake.account]["rail"], clock.now())
        elif account is not None and account.status == Status.ON:
            accounts.switch_off(slug=account.slug, actor=ACTOR, reason=REASON, now=clock.now())


def _connect(fake: Fake, account: ProviderAccount | None, url: str, now: datetime) -> None:
    if account is None:
        account = _enter(fake, url, now)
    elif account.base_url != url:
        accounts.change_address(
            slug=account.slug, base_url=url, actor=ACTOR, reason=REASON, now=now
        )
    if account.status == Status.OFF:
        accounts.switch_on(slug=account.slug, actor=ACTOR, reason=REASON, now=now)
    if fake.product == "payout":
        load_codes(account=fake.account, actor=ACTOR)


def _enter(fake: Fake, url: str, now: datetime) -> ProviderAccount:
    """Once, so that an operator may change the routes."""
    for account, priority in ((fake.account, PRIORITY), (SIMULATOR, LAST_PRIORITY)):
        add_route(
            product=fake.product, account=account, priority=priority, actor=ACTOR, reason=REASON
        )
    new = accounts.NewAccount(
        slug=fake.account,
        provider=fake.provider,
        label=fake.label,
        mode=ProviderAccount.Mode.SANDBOX,
        base_url=url,
        credentials=fake.credentials,
    )
    return accounts.create_account(new=new, actor=ACTOR, reason=REASON, now=now)
