"""Real money: the service of production with live accounts, here of fakes in their `prod`.

The accounts come from a file, two persons approve them, and the rails are reached by https only.
"""

import http.client
import json
import re
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

import pytest

from config.devstack.options import PROJECT, read_options
from config.devstack.valkey import free_port
from config.devstack.workers import beat_command, celery_worker, web_command
from payments.collect.models import Charge, Order
from payments.core import clock
from payments.payout.models import Payout
from payments.rails.models import ProviderAccount, RouteChange
from payments.rails.services import accounts, approvals, route_changes
from payments.simulator.payin import SimulatorPayin
from tests.collect.test_pages.conftest import PERSON
from tests.deploy.test_graceful_stop import process, wait_for
from tests.rails.callback_bridge import CallbackBridge
from tests.rails.fake_server.server import RunningServer
from tests.rails.terms import box_of
from tests.rails.wompi.rail import WompiRail
from tests.rails.wompi_payouts.company import ACCOUNT_ID
from tests.rails.wompi_payouts.rail import WompiPayoutsRail
from tests.support.certificates import self_signed
from tests.support.factories import order_body, payout_body
from tests.support.fixtures import API, ApiClient
from tests.support.services import child_environment

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
HOST = "pagos.example"
NAMES = ("PAYIN", "PAYOUT", "TOPUP", "BILLS", "REFUND")
COLLECTIONS, PAYOUTS = "wompi-live", "payouts-live"
KEYS = {
    "public_key": "pub_prod_0123456789fakeFAKE",
    "private_key": "prv_prod_0123456789fakeFAKE",
    "integrity_secret": "prod_integrity_0123456789fakeFAKE",
    "events_secret": "prod_events_0123456789fakeFAKE",
}
DEPLOY = """
import django; django.setup()
from django.core.management import call_command
from django.test.utils import override_settings
# Only a test lets live accounts lead to this machine, where the fakes speak https.
with override_settings(RAIL_ALLOW_PRIVATE=False):
    call_command("check", deploy=True, fail_level="WARNING")
# Only what the payer's pages need: to press the others takes forty seconds.
ignored = ["admin", "unfold", "rest_framework", "drf_spectacular_sidecar"]
call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=ignored)
call_command("declare_rails")
"""


class Rails:
    """The fakes, and what the service of production is started with."""

    def __init__(self, tmp_path: Path, port: int, stack: ExitStack) -> None:
        self.port = port
        self.certificate, tls = self_signed(tmp_path)
        payouts = WompiPayoutsRail(environment="prod", settle_seconds=0)
        collections = WompiRail(environment="prod", pse_resolution="payer", url_delay_seconds=0)
        self.collections = stack.enter_context(RunningServer(collections, tls=tls))
        self.payouts = stack.enter_context(RunningServer(payouts, tls=tls))
        self.bridge = stack.enter_context(CallbackBridge(self.deliver))
        self.collections.control.set(events_url=self.bridge.url("payin", COLLECTIONS))
        self.payouts.control.set(events_url=self.bridge.url("payout", PAYOUTS))
        self.declared = {
            "accounts": [
                _declared(COLLECTIONS, "wompi", f"{self.collections.url}/v1", KEYS),
                _declared(PAYOUTS, "wompi-payouts", self.payouts.url, _payouts_keys(payouts)),
            ],
            "routes": [
                {"name": "pse", "product": "payin", "account": COLLECTIONS, "method": "PSE"},
                {"name": "payouts", "product": "payout", "account": PAYOUTS},
            ],
        }
        (tmp_path / "rails.json").write_text(json.dumps(self.declared))
        self.environment = {
            "ENV": "production",
            "DEBUG": "0",
            "SANDBOX": "0",
            "PUBLIC_URL": f"https://{HOST}",
            "ALLOWED_HOSTS": HOST,
            "TRUSTED_PROXIES": "1",
            "OUTGOING_RECONCILE_DELAYS": "1,2,5",
            "DATA_DIR": str(tmp_path),
            "STATIC_ROOT": str(tmp_path / "static"),
            "PROMETHEUS_MULTIPROC_DIR": str(tmp_path / "metrics"),
            "RAIL_ACCOUNTS_FILE": str(tmp_path / "rails.json"),
            "SSL_CERT_FILE": str(self.certificate),
            "RAIL_ALLOW_PRIVATE": "1",
            **{f"{name}_PROVIDER": "" for name in NAMES},
        }

    def deliver(self, path: str, content: bytes) -> int:
        """As the proxy in front of the service passes it on."""
        headers = {"Content-Type": "application/json"}
        return ask(self.port, "POST", path, headers, content)[0]

    def complaints(self) -> list[str]:
        return [*self.collections.control.complaints(), *self.payouts.control.complaints()]


def _declared(name: str, provider: str, url: str, credentials: dict[str, str]) -> dict[str, Any]:
    entry = {"name": name, "provider": provider, "mode": "LIVE"}
    return {**entry, "baseUrl": url, "credentials": credentials}


def _payouts_keys(rail: WompiPayoutsRail) -> dict[str, str]:
    return {
        "api_key": rail.company.api_key,
        "user_principal_id": rail.company.principal_id,
        "account_id": ACCOUNT_ID,
        "email": "pagos@tienda.example",
        "events_secret": rail.company.secret("prod"),
    }


def ask(
    port: int, method: str, path: str, headers: dict[str, str], body: bytes | None = None
) -> tuple[int, http.client.HTTPMessage, str]:
    """One request as the proxy passes it on: status, headers and text."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    passed = {"Host": HOST, "X-Forwarded-Proto": "https", "X-Forwarded-For": "190.1.2.3"}
    try:
        client.request(method, path, body, {**passed, **headers})
        answer = client.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        client.close()


def answers(port: int) -> bool:
    try:
        return ask(port, "GET", "/healthz", {})[0] == 200
    except OSError:
        return False


def run(rails: Rails, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *command],
        cwd=PROJECT,
        env=child_environment(**rails.environment),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not any(secret in done.stdout + done.stderr for secret in KEYS.values())
    return done.stdout


def approve_all() -> None:
    """By two persons, in the console's services."""

    def by(person: str) -> Any:
        return {"actor": person, "reason": "contract 12", "now": clock.now()}

    for account in ProviderAccount.objects.all():
        accounts.switch_on(slug=account.slug, **by("olga"))
        digest = approvals.digest_to_approve(account)
        approvals.approve(slug=account.slug, digest=digest, **by("oscar"))
    for change in RouteChange.objects.all():
        route_changes.confirm(change_id=change.pk, **by("olga"))
        route_changes.approve(change_id=change.pk, **by("oscar"))


@pytest.fixture
def rails(catalogues: None, tmp_path: Path) -> Iterator[Rails]:
    """Web server, money worker and beat have started, and the accounts are approved."""
    port = free_port()
    web = {"PORT": str(port), "WEB_WORKERS": "1", "WEB_THREADS": "4"}
    options = read_options({"DATA_DIR": str(tmp_path), **web})
    processes = {
        "web": web_command(options),
        "money": celery_worker("money", queue="default", threads=2),
        "beat": beat_command(options),
    }
    with ExitStack() as stack:
        rails = Rails(tmp_path, port, stack)
        for name, command in processes.items():
            log = tmp_path / f"{name}.log"
            stack.enter_context(process(command, log, **rails.environment))
        told = json.loads(run(rails, "-c", DEPLOY).splitlines()[-1])
        assert told["accounts"]["waiting"] == [COLLECTIONS, PAYOUTS]
        approve_all()
        run(rails, "manage.py", "load_payout_banks", PAYOUTS)
        wait_for("the web server", lambda: answers(port))
        yield rails
        assert rails.complaints() == []


class Merchant:
    def __init__(self, api: ApiClient, port: int) -> None:
        self.headers = {**api.headers, "Content-Type": "application/json"}
        self.port = port

    def call(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        headers = {**self.headers, "Idempotency-Key": str(uuid4())}
        content = json.dumps(body).encode() if body else None
        answer = ask(self.port, method, f"{API}{path}", headers, content)
        assert answer[0] == status, answer
        return json.loads(answer[2]).get("data")


def pay(rails: Rails, order: Order) -> None:
    """By PSE: the payer's page, the bank's page of the fake."""
    path = f"/pay/{order.token}/pse"
    status, headers, page = ask(rails.port, "GET", path, {})
    assert status == 200, page
    cookies = [one.partition(";")[0] for one in headers.get_all("Set-Cookie") or ()]
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token, page
    form = {**PERSON, **box_of(page), "csrfmiddlewaretoken": token[1]}
    sent = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": "; ".join(cookies),
        "Origin": f"https://{HOST}",
    }
    status, _, page = ask(rails.port, "POST", path, sent, urlencode(form).encode())
    assert status == 303, page

    def bank_page() -> str:
        """The payer's page asks for it again and again."""
        ask(rails.port, "GET", f"/pay/{order.token}/go", {})
        return Charge.objects.get(order=order).redirect_url or ""

    address = wait_for("the bank's page", bank_page)
    assert address.startswith(f"{rails.collections.url}/bank/")
    trusted = ssl.create_default_context(cafile=str(rails.certificate))
    where = urlsplit(address)
    bank = http.client.HTTPSConnection(where.netloc, timeout=30, context=trusted)
    approved = urlencode({"decision": "approve"})
    form_type = {"Content-Type": "application/x-www-form-urlencoded"}
    bank.request("POST", where.path, approved, form_type)
    assert bank.getresponse().status == 303
    bank.close()


def test_real_money_comes_and_goes_over_live_accounts_and_no_simulator_answers(
    rails: Rails, api: ApiClient
) -> None:
    merchant = Merchant(api, rails.port)
    made = merchant.call("POST", "/collect", order_body(amount=50_000), status=201)
    order = Order.objects.get(pk=made["id"])
    pay(rails, order)
    path = f"/collect/{order.pk}"
    wait_for("the money", lambda: merchant.call("GET", path)["status"] == "COMPLETED")
    assert Charge.objects.get().provider == COLLECTIONS

    sent = merchant.call("POST", "/payout", payout_body(amount=40_000), status=201)
    path = f"/payout/{sent['payoutId']}"
    wait_for("the payout", lambda: merchant.call("GET", path)["status"] == "COMPLETED")
    assert Payout.objects.get().provider == PAYOUTS
    assert set(rails.bridge.statuses) == {200}

    other = merchant.call("POST", "/collect", order_body(), status=201)
    offered = merchant.call("GET", f"/collect/{other['id']}/methods")
    simulated = {one.key for one in SimulatorPayin().direct_methods()}
    assert not simulated & set(re.findall(r'"key": "(\w+)"', json.dumps(offered)))
    for key in sorted(simulated):
        merchant.call("POST", f"/collect/{other['id']}/pay", {"method": key}, status=400)
    for method, path in (
        ("GET", "/simulator/bank/x"),
        ("POST", "/callbacks/payin/simulator"),
        ("POST", "/callbacks/payout/simulator"),
        ("POST", f"{API}/sandbox/collect/{order.pk}"),
    ):
        assert ask(rails.port, method, path, merchant.headers, b"{}")[0] == 404, path
