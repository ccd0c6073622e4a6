"""The balance of accounts that pay: read, kept, compared, and told before payouts wait."""

from datetime import timedelta
from decimal import Decimal

import pytest

from payments.core import clock
from payments.core.models import AuditEntry
from payments.payout.services.bank_codes import load_codes
from payments.providers.wompi_payouts.payout import WompiPayout
from payments.rails.models import AccountBalance, ProviderAccount
from payments.rails.services import accounts, balances
from payments.rails.tasks import read_balances
from tests.admin.conftest import Console, ana, console  # noqa: F401
from tests.config.test_metrics import TOKEN, samples
from tests.rails.accounts import route, wompi, wompi_payouts
from tests.support.factories import payout_body
from tests.support.funds import fund

pytestmark = pytest.mark.django_db
ACCOUNT = "wompi-payouts-main"
MILLION = 100_000_000  # in cents


@pytest.fixture
def fake():
    with wompi(), wompi_payouts(balance_in_cents=5 * MILLION) as server:
        yield server


def read():
    balances.read_balances(now=clock.now())
    return AccountBalance.objects.get()


def test_balance_is_read_of_accounts_that_pay(fake):
    read_balances()
    known = AccountBalance.objects.get()
    assert (known.pk, known.amount, known.is_low) == (ACCOUNT, 5_000_000, False)
    assert known.read_at is not None


def test_account_that_is_off_is_not_read(fake):
    accounts.switch_off(slug=ACCOUNT, actor="olga", reason="test", now=clock.now())
    assert balances.read_balances(now=clock.now()) == 0
    assert not AccountBalance.objects.exists()


def test_rail_that_does_not_answer_leaves_the_last_balance_with_its_time(fake):
    first = read()
    fake.control.call("POST", "outage", {"seconds": None})
    assert balances.read_balances(now=clock.now() + timedelta(minutes=5)) == 0
    known = AccountBalance.objects.get()
    assert (known.amount, known.read_at) == (5_000_000, first.read_at)


def test_defect_of_one_adapter_does_not_stop_the_others(fake, monkeypatch):
    def breaks(_self):
        raise RuntimeError

    monkeypatch.setattr(WompiPayout, "balance", breaks)
    known = read()
    assert (known.amount, known.is_low) == (None, False)


def test_impossible_balance_counts_as_unread_and_does_not_stop_the_others(fake, monkeypatch):
    first = read()
    monkeypatch.setattr(WompiPayout, "balance", lambda _self: Decimal(10) ** 30)
    assert balances.read_balances(now=clock.now() + timedelta(minutes=5)) == 0
    known = AccountBalance.objects.get()
    assert (known.amount, known.read_at) == (5_000_000, first.read_at)


@pytest.mark.parametrize(("cents", "is_low"), [(MILLION, False), (MILLION - 1, True), (0, True)])
def test_balance_is_low_below_the_amount_of_the_settings(settings, cents, is_low):
    settings.RAIL_BALANCE_RESERVE = 1_000_000
    with wompi_payouts(balance_in_cents=cents):
        assert read().is_low is is_low


def test_amount_of_the_account_counts_at_once_and_leaves_an_audit_row(fake):
    read()
    given = {"slug": ACCOUNT, "actor": "olga", "reason": "more payouts", "now": clock.now()}
    balances.set_alarm(alarm_below=6_000_000, **given)
    assert AccountBalance.objects.get().is_low
    assert AuditEntry.objects.filter(action="rail_account.alarm_set").count() == 1
    balances.set_alarm(alarm_below=0, **given)
    assert not AccountBalance.objects.get().is_low
    balances.set_alarm(alarm_below=None, **given)
    assert AccountBalance.objects.get().needed == 1_000_000


@pytest.mark.usefixtures("catalogues")
def test_payouts_that_wait_to_be_sent_are_needed_too(fake, api, merchant, settings):
    settings.RAIL_BALANCE_RESERVE = 1_000_000
    fund(merchant, 20_000_000)
    route("payout", ACCOUNT)
    load_codes(account=ACCOUNT, actor="olga")
    for number in range(2):
        headers = {"Idempotency-Key": f"wait-{number}"}
        assert (
            api.post("/payout", payout_body(amount=3_000_000), headers=headers).status_code == 201
        )
    known = read()
    assert (known.needed, known.is_low) == (7_000_000, True)


def test_low_balance_is_in_the_work_queue_and_on_the_pages(console, fake):  # noqa: F811
    page = console.page("rails_provideraccount_change", ACCOUNT).content.decode()
    assert "aún no se ha leído" in page
    read()
    assert "5.000.000 COP" in console.page("rails_provideraccount_change", ACCOUNT).content.decode()
    done = console.submit("rails_provideraccount_set_alarm", ACCOUNT, alarm_below="6000000")
    assert done.status_code == 302
    page = console.page("rails_provideraccount_change", ACCOUNT).content.decode()
    assert "muy bajo" in page
    assert "6.000.000 COP" in page
    health = console.page("rails_route_health").content.decode()
    assert "5.000.000 COP" in health
    assert "muy bajo" in health
    assert "con muy poco dinero" in console.get("/admin/").content.decode()
    query = {"status__exact": "ON", "balance__is_low__exact": "1"}
    listed = console.page("rails_provideraccount_changelist", **query).content.decode()
    assert ACCOUNT in listed
    assert "wompi-main" not in listed


def test_account_that_collects_has_no_balance_alarm(console, fake):  # noqa: F811
    page = console.page("rails_provideraccount_change", "wompi-main").content.decode()
    assert "set_alarm" not in page


def test_balances_are_exposed_with_their_age(fake, settings):
    settings.METRICS_TOKEN, settings.METRICS_CACHE_SECONDS = TOKEN, 0
    read()
    found = {name: value for (name, given), value in samples().items() if given == (ACCOUNT,)}
    assert found["pasarela_rail_balance"] == 5_000_000
    assert found["pasarela_rail_balance_needed"] == 1_000_000
    assert 0 <= found["pasarela_rail_balance_age_seconds"] < 60
    ProviderAccount.objects.filter(pk=ACCOUNT).update(status="OFF")
    assert (ACCOUNT,) not in {given for _name, given in samples()}
