"""Real money: SANDBOX=0 with a live account, here of a fake in its environment `prod`."""

import os
import subprocess
import sys

import pytest

from config.devstack.options import PROJECT
from payments.core import clock
from payments.providers import registry
from payments.rails.models import ProviderAccount
from payments.rails.services import accounts, approvals
from payments.rails.services.routing import Demand, RouteTable
from tests.rails.accounts import WOMPI_CREDENTIALS, enter, route
from tests.rails.fake_server.server import RunningServer
from tests.rails.wompi.rail import WompiRail

NAMES = ("PAYIN", "PAYOUT", "TOPUP", "BILLS", "REFUND")
LIVE = {
    "ENV": "production",
    "DEBUG": "0",
    "SANDBOX": "0",
    "SECRET_KEY": "only-for-this-test-5f0c1d9be2a74836b1c7d20e9a4f83e6-abcdefghij",
    "ENCRYPTION_KEYS": "b25seS1mb3ItbWFrZS1jaGVjay0wMTIzNDU2Nzg5YWI=",
    "DATABASE_URL": "postgresql://pasarela:secret@database.invalid/pasarela",
    "REDIS_URL": "redis://redis.invalid:6379/0",
    "PUBLIC_URL": "https://pagos.example",
    "ALLOWED_HOSTS": "pagos.example",
    **{f"{name}_PROVIDER": "" for name in NAMES},
}
ADDRESSES = """
import django; django.setup()
from django.urls import Resolver404, resolve
for path in ("/simulator/bank/x", "/api/v1/sandbox/collect/x"):
    try:
        print(path, resolve(path).func.__name__)
    except Resolver404:
        print(path, "nothing")
"""
KEYS = {
    "public_key": "pub_prod_0123456789fakeFAKE",
    "private_key": "prv_prod_0123456789fakeFAKE",
    "integrity_secret": "prod_integrity_0123456789fakeFAKE",
    "events_secret": "prod_events_0123456789fakeFAKE",
}


def run(tmp_path, *command):
    # The browser's tests set it for their whole process.
    own = {key: value for key, value in os.environ.items() if key != "DJANGO_ALLOW_ASYNC_UNSAFE"}
    return subprocess.run(
        [sys.executable, *command],
        cwd=PROJECT,
        env={**own, **LIVE, "DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_settings_without_the_simulator_pass_and_its_pages_are_not_there(tmp_path):
    command = ("manage.py", "check", "--deploy", "--fail-level", "WARNING")
    checked = run(tmp_path, *command)
    assert checked.returncode == 0, checked.stderr
    shown = run(tmp_path, "-c", ADDRESSES)
    assert shown.stdout.splitlines() == [
        "/simulator/bank/x nothing",
        "/api/v1/sandbox/collect/x not_found",
    ], shown.stderr


@pytest.mark.django_db
def test_live_account_serves_and_neither_the_simulator_nor_a_sandbox_account(client, settings):
    enter("wompi-test", "wompi", "", WOMPI_CREDENTIALS)
    settings.SANDBOX = False
    for name in NAMES:
        setattr(settings, f"{name}_PROVIDER", "")
    with RunningServer(WompiRail(environment="prod")) as fake:
        new = accounts.NewAccount(
            slug="wompi-live",
            provider="wompi",
            label="Wompi",
            mode="LIVE",
            base_url=f"{fake.url}/v1",
            credentials=KEYS,
        )
        accounts.create_account(new=new, actor="olga", reason="test", now=clock.now())
        accounts.switch_on(slug="wompi-live", actor="olga", reason="test", now=clock.now())
        for account in ("simulator", "wompi-test", "wompi-live"):
            route("payin", account)
        demand = Demand(method="PSE", currency="COPM")
        assert RouteTable.load("payin").accounts_for(demand) == []
        approvals.approve(
            slug="wompi-live",
            digest=approvals.digest_to_approve(ProviderAccount.objects.get(slug="wompi-live")),
            actor="oscar",
            reason="test",
            now=clock.now(),
        )
        assert RouteTable.load("payin").accounts_for(demand) == ["wompi-live"]
        banks = registry.PAYIN.get("wompi-live").banks()
        assert "BANCOLOMBIA" in [bank.name for bank in banks]
        assert fake.control.complaints() == []
    for code in ("simulator", "wompi-test"):
        assert client.post(f"/callbacks/payin/{code}", b"{}", "application/json").status_code == 404
