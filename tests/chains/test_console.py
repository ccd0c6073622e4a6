"""What operators see of coins: addresses, deposits, chains; and the command for wallets."""

import csv
import io
import json
from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from payments.chains import decisions
from payments.chains.models import ChainCursor, Deposit
from payments.chains.services import gaps, watching
from payments.core import clock
from payments.core.models import AuditEntry
from tests.chains.fake_chain import FakeChain, Ledger
from tests.chains.shop import address_of, buy, payment, scan, seen
from tests.chains.test_forks import give_addresses
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db


@pytest.fixture
def charge(api: ApiClient, chain: FakeChain) -> object:
    made = buy(api)
    chain.ledger.mine(payment(made), count=2)
    scan(chain)
    return made


def test_command_lists_index_address_balance_and_order(charge: object, chain: FakeChain) -> None:
    out, err = io.StringIO(), io.StringIO()
    call_command("coin_addresses", "fake", stdout=out, stderr=err)
    row = json.loads(out.getvalue())
    assert (row["index"], row["address"]) == (0, chain.derive(0).text)
    assert (row["balance"], row["order"]) == ("0.250125 BTC", charge.order_id)  # type: ignore[attr-defined]
    assert "highest index given is 0" in err.getvalue()
    out = io.StringIO()
    call_command("coin_addresses", "fake", "--csv", stdout=out, stderr=err)
    [read] = csv.DictReader(io.StringIO(out.getvalue()))
    assert read["balance"] == "0.250125 BTC"
    with pytest.raises(CommandError, match="Known: fake"):
        call_command("coin_addresses", "nothing")


def test_long_run_of_unpaid_addresses_is_a_warning(charge: object, chain: FakeChain) -> None:
    assert not gaps.uses_of_keys()[0].is_past_limit
    give_addresses(chain, 20)
    from payments.chains.models import AddressSequence

    AddressSequence.objects.update(next_index=21)
    assert gaps.uses_of_keys()[0].longest_gap == 20
    AddressSequence.objects.update(next_index=22)
    use = gaps.uses_of_keys()[0]
    assert (use.is_past_limit, use.highest, use.accounts) == (True, 21, ("fake",))
    err = io.StringIO()
    call_command("coin_addresses", "fake", stdout=io.StringIO(), stderr=err)
    assert "21 unpaid addresses follow each other" in err.getvalue()


def test_pages_show_addresses_deposits_and_chains(charge: object, console: Client) -> None:
    address = address_of(charge)  # type: ignore[arg-type]
    listed = console.get("/admin/chains/coinaddress/").content.decode()
    assert address.address in listed
    assert "0.250125 BTC" in listed
    assert charge.order_id in listed  # type: ignore[attr-defined]
    page = console.get(f"/admin/chains/coinaddress/{address.pk}/change/").content.decode()
    assert Deposit.objects.get().transaction in page
    assert console.get("/admin/chains/deposit/").status_code == 200
    deposit = Deposit.objects.get()
    assert console.get(f"/admin/chains/deposit/{deposit.pk}/change/").status_code == 200
    assert "fakenet" in console.get("/admin/chains/chaincursor/").content.decode()
    assert console.get("/admin/chains/chaincursor/fake/change/").status_code == 200


def test_contradicted_deposit_waits_until_it_is_acknowledged(
    charge: object, chain: FakeChain, console: Client
) -> None:
    chain.ledger.reorganise(2, returns=False)
    chain.ledger.mine(count=3)
    scan(chain)
    deposit = Deposit.objects.get()
    queue = "/admin/chains/deposit/?exceptions=contradicted"
    assert deposit.transaction in console.get(queue).content.decode()
    decisions.acknowledge_deposit(
        deposit_id=deposit.pk, actor="olga", reason="We bear it", now=clock.now()
    )
    assert deposit.transaction not in console.get(queue).content.decode()
    assert AuditEntry.objects.filter(action="deposit.acknowledged").exists()


def test_chain_is_read_again_after_a_person_has_decided(
    charge: object, chain: FakeChain, api: ApiClient
) -> None:
    open_charge = buy(api)
    chain.ledger = Ledger("elsewhere")
    chain.ledger.mine(payment(open_charge), count=20)
    scan(chain)
    assert ChainCursor.objects.get().problem == "OTHER_CHAIN"
    decisions.restart_chain(account="fake", actor="olga", reason="New chain", now=clock.now())
    scan(chain)
    assert watching.is_watched("fake", clock.now())
    assert seen(open_charge)[0] == "COMPLETED"
    assert Deposit.objects.exclude(contradicted_at=None).count() == 1
    assert seen(charge)[0] == "COMPLETED"  # type: ignore[arg-type]


@pytest.fixture
def console(db: None) -> Client:
    user = get_user_model().objects.create_superuser("olga", "olga@example.com", "x")
    client = Client()
    client.force_login(user)
    return client


def test_metrics_tell_how_old_the_chain_is(
    charge: object, chain: FakeChain, settings: object
) -> None:
    settings.METRICS_TOKEN, settings.METRICS_CACHE_SECONDS = "t", 0  # type: ignore[attr-defined]
    chain.problem = TimeoutError()
    with time_machine.travel(clock.now() + timedelta(minutes=10)):
        text = Client().get("/metrics", headers={"Authorization": "Bearer t"}).content.decode()
    labels = '{account="fake",network="fakenet"}'
    found = dict(
        line.rsplit(" ", 1)
        for line in text.splitlines()
        if "pasarela_chain" in line and line[0] != "#"
    )
    assert float(found[f"pasarela_chain_lag_blocks{labels}"]) == 0
    assert float(found[f"pasarela_chain_tip_age_seconds{labels}"]) < 620
    assert float(found[f"pasarela_chain_problem{labels}"]) == 0
