"""The commands an operator can script (docs/gaps.md): one line of JSON, clear refusals."""

import json
import os
import stat
import subprocess
import sys
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from merchants.models import ApiKey, Merchant
from payments.core.models import AuditEntry
from payments.ledger import services as ledger
from tests.support.fixtures import ApiClient
from tests.support.services import child_environment

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> dict:
    """Runs the command as a script would; standard output must be one line of JSON."""
    out = StringIO()
    call_command(*arguments, stdout=out)
    (line,) = out.getvalue().splitlines()
    return json.loads(line)


def call(credentials: dict, path: str = "/collect") -> object:
    """The merchant's first request."""
    client = ApiClient()
    client.headers = {
        "X-Api-Key": credentials["apiKey"],
        "X-Api-Secret": credentials["apiSecret"],
    }
    return client.get(path)


def test_create_merchant_prints_working_credentials() -> None:
    made = run("create_merchant", "Café Andino")
    assert list(made) == ["merchantId", "apiKey", "apiSecret", "webhookSecret"]
    assert call(made).status_code == 200


def test_everything_can_be_said_at_creation() -> None:
    made = run(
        "create_merchant",
        "Café Andino",
        "--email",
        "caja@cafeandino.co",
        "--enable",
        "payout",
        "topup",
        "--enable",
        "bills",
        "direct_api",
        "--permission",
        "payout:create",
        "--webhook-url",
        "http://127.0.0.1:9000/hook",
        "--event",
        "payment.expired",
        "payment.confirmed",
        "--event",
        "payment.expired",
        "--balance",
        "COPM=5000000",
        "USDT=100.5",
        "--balance",
        "BTC=0.00000001",
    )
    merchant = Merchant.objects.get(pk=made["merchantId"])
    assert merchant.email == "caja@cafeandino.co"
    assert merchant.payout_enabled
    assert merchant.topup_enabled
    assert merchant.bills_enabled
    assert merchant.direct_api_enabled
    assert merchant.webhook_url == "http://127.0.0.1:9000/hook"
    assert merchant.webhook_secret == made["webhookSecret"]
    assert merchant.event_kinds == ["payment.expired", "payment.confirmed"]
    assert ApiKey.objects.get(public_key=made["apiKey"]).permissions == ["payout:create"]
    available = {
        currency: funds["available"] for currency, funds in ledger.balances(merchant.pk).items()
    }
    assert available == {
        "COPM": Decimal(5_000_000),
        "USDT": Decimal("100.5"),
        "BTC": Decimal("0.00000001"),
    }


def test_create_merchant_enables_nothing_by_default() -> None:
    made = run("create_merchant", "Café Andino")
    merchant = Merchant.objects.get(pk=made["merchantId"])
    assert not merchant.payout_enabled
    assert not merchant.direct_api_enabled
    assert merchant.event_kinds == []
    assert ApiKey.objects.get(public_key=made["apiKey"]).permissions == []


def test_an_inactive_merchant_is_told_so() -> None:
    made = run("create_merchant", "Café Andino", "--inactive")
    answer = call(made)
    assert (answer.status_code, answer.body["error"]["code"]) == (401, "MERCHANT_NOT_ACTIVE")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["   "], "name"),
        (["x" * 201], "200"),
        (["Café", "--email", "unknown"], "email"),
        (["Café", "--webhook-url", "ftp://example.com"], "URL"),
        (["Café", "--webhook-url", "http://169.254.169.254/latest"], "address"),
        (["Café", "--enable", "everything"], "everything"),
        (["Café", "--permission", "payout:delete"], "payout:delete"),
        (["Café", "--event", "payment.completed"], "payment.completed"),
        (["Café", "--balance", "COPM"], "not a number"),
        (["Café", "--balance", "COP=1000"], "COPM"),
        (["Café", "--balance", "COPM=NaN"], "above 0"),
        (["Café", "--balance", "COPM=-5"], "above 0"),
        (["Café", "--balance", "COPM=0.5"], "smallest unit"),
        (["Café", "--balance", "COPM=1e30"], "up to"),
        ([], "NAME"),
    ],
)
def test_a_refusal_is_clear_and_leaves_nothing(arguments: list[str], said: str) -> None:
    out = StringIO()
    with pytest.raises(CommandError, match=said):
        call_command("create_merchant", *arguments, stdout=out)
    assert out.getvalue() == ""
    assert not Merchant.objects.exists()
    assert not ApiKey.objects.exists()


def test_play_money_needs_the_sandbox(settings: object) -> None:
    settings.SANDBOX = False
    with pytest.raises(CommandError, match="SANDBOX"):
        call_command("create_merchant", "Café", "--balance", "COPM=5")
    assert not Merchant.objects.exists()


@pytest.mark.parametrize(
    ("sandbox", "begins"), [(True, ("pk_test_", "sk_test_")), (False, ("pk_", "sk_"))]
)
def test_keys_of_a_sandbox_say_that_they_are_for_tests(
    merchant: Merchant, settings: Any, sandbox: bool, begins: tuple[str, str]
) -> None:
    settings.SANDBOX = sandbox
    made = run("create_api_key", merchant.pk)
    assert made["apiKey"].startswith(begins[0])
    assert made["apiSecret"].startswith(begins[1])
    assert ("test" in made["apiKey"]) is sandbox


def test_create_api_key_adds_a_working_key(merchant: Merchant) -> None:
    made = run("create_api_key", merchant.pk, "--permission", "payout:create")
    assert list(made) == ["apiKey", "apiSecret"]
    assert call(made).status_code == 200
    assert ApiKey.objects.get(public_key=made["apiKey"]).permissions == ["payout:create"]


def test_a_key_for_an_unknown_merchant_is_refused() -> None:
    with pytest.raises(CommandError, match="no merchant mer_0"):
        call_command("create_api_key", "mer_0")


def test_revocation_is_immediate_and_happens_once(merchant: Merchant) -> None:
    made = run("create_api_key", merchant.pk)
    assert call(made).status_code == 200
    revoked = run("revoke_api_key", made["apiKey"], "--reason", "lost")
    assert revoked["apiKey"] == made["apiKey"]
    assert call(made).status_code == 401
    with pytest.raises(CommandError, match="already revoked"):
        call_command("revoke_api_key", made["apiKey"])
    with pytest.raises(CommandError, match="no API key"):
        call_command("revoke_api_key", "pk_unknown")
    assert AuditEntry.objects.get(action="api_key.revoked").reason == "lost"


def test_every_command_leaves_audit_rows_without_secrets() -> None:
    made = run("create_merchant", "Café Andino")
    run("create_api_key", made["merchantId"])
    rows = list(AuditEntry.objects.order_by("id").values("actor", "action", "details"))
    assert [row["action"] for row in rows] == [
        "merchant.created",
        "api_key.issued",
        "api_key.issued",
    ]
    assert all(row["actor"].startswith("command:") for row in rows)
    assert made["apiSecret"] not in str(rows)
    assert made["webhookSecret"] not in str(rows)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["create_merchant", "Café Andino"], 0),
        (["create_merchant", "Café Andino", "--email", "unknown"], 1),
        (["create_merchant", "--enable", "payout"], 2),
        (["revoke_api_key", "pk_unknown"], 1),
    ],
)
def test_a_script_sees_one_line_or_an_exit_code(arguments: list[str], code: int) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        env=child_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    if code == 0:
        assert len(done.stdout.splitlines()) == 1
        assert json.loads(done.stdout)["merchantId"]
    else:
        assert done.stdout == ""
        assert done.stderr.strip()
        assert "Traceback" not in done.stderr


def test_a_webhook_url_is_set_changed_and_removed() -> None:
    made = run("create_merchant", "Café Andino")
    for url in ("http://localhost:9000/", "https://shop.example/hooks", ""):
        shown = run("set_webhook_url", made["merchantId"], url, "--reason=new shop")
        assert shown == {"merchantId": made["merchantId"], "webhookUrl": url}
        assert Merchant.objects.get().webhook_url == url
    changed = AuditEntry.objects.filter(action="merchant.changed").order_by("id")
    assert [row.details["new"]["webhook_url"] for row in changed][-1] == ""
    assert {row.reason for row in changed} == {"new shop"}


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("nonsense", "must begin with https"),
        ("https://ana:secret@shop.example/", "user or password"),
        ("http://169.254.169.254/latest", "cannot receive webhooks"),
    ],
)
def test_a_webhook_url_that_would_not_be_called_is_refused(url: str, message: str) -> None:
    made = run("create_merchant", "Café Andino", "--webhook-url=https://shop.example/hooks")
    with pytest.raises(CommandError, match=message):
        run("set_webhook_url", made["merchantId"], url)
    assert Merchant.objects.get().webhook_url == "https://shop.example/hooks"


def test_a_webhook_url_needs_a_merchant() -> None:
    with pytest.raises(CommandError, match="There is no merchant mer_x"):
        run("set_webhook_url", "mer_x", "https://shop.example/hooks")


@pytest.fixture
def home(settings: object, tmp_path: Path) -> Path:
    """A DATA_DIR of its own."""
    settings.DATA_DIR = tmp_path
    return tmp_path


def operator(made: dict[str, dict[str, str]]) -> User:
    """The account whose name and password were printed; fails when they open nothing."""
    user = User.objects.get(username=made["operator"]["username"])
    assert user.check_password(made["operator"]["password"])
    return user


def test_the_demo_is_made_once_and_printed_at_every_start(home: Path) -> None:
    first = run("create_demo")
    names = ["merchantId", "apiKey", "apiSecret", "webhookSecret", "webhookUrl", "operator"]
    assert list(first) == names
    assert call(first).status_code == 200
    assert operator(first).is_superuser
    assert stat.S_IMODE(os.stat(home / "demo.json").st_mode) == 0o600
    assert json.loads((home / "demo.json").read_text()) == first
    merchant = Merchant.objects.get(pk=first["merchantId"])
    assert merchant.name == "Café Andino"
    assert merchant.payout_enabled
    demo_key = ApiKey.objects.get(public_key=first["apiKey"])
    assert demo_key.permissions == ["payout:create", "webhook:manage"]
    assert ledger.balances(merchant.pk)["COPM"]["available"] == Decimal(5_000_000)
    assert run("create_demo") == first
    assert Merchant.objects.count() == ApiKey.objects.count() == 1


def test_a_start_sets_the_url_of_the_demo_merchant_and_a_later_one_changes_it(home: Path) -> None:
    assert run("create_demo")["webhookUrl"] == ""
    for url in ("http://localhost:9000/", "https://shop.example/hooks"):
        made = run("create_demo", f"--webhook-url={url}")
        assert made["webhookUrl"] == url
        assert Merchant.objects.get().webhook_url == url
    assert run("create_demo")["webhookUrl"] == "https://shop.example/hooks"
    assert AuditEntry.objects.filter(action="merchant.changed").count() == 2


def test_a_demo_of_another_database_is_made_again(home: Path) -> None:
    stale = {
        "merchantId": "mer_gone",
        "apiKey": "pk_gone",
        "apiSecret": "sk_gone",
        "webhookSecret": "whsec_gone",
        "operator": {"username": "operator", "password": "gone"},
    }
    (home / "demo.json").write_text(json.dumps(stale))
    made = run("create_demo")
    assert made["merchantId"] != "mer_gone"
    assert call(made).status_code == 200
    assert operator(made)
    assert json.loads((home / "demo.json").read_text()) == made


@pytest.mark.slow
@pytest.mark.parametrize("left", [None, "", "[]", "{"])
def test_a_lost_or_damaged_file_is_made_again_for_the_same_merchant(
    home: Path, left: str | None
) -> None:
    first = run("create_demo")
    (home / "demo.json").unlink()
    if left is not None:
        (home / "demo.json").write_text(left)
    again = run("create_demo")
    assert again["merchantId"] == first["merchantId"]
    assert again["apiKey"] != first["apiKey"]
    assert call(again).status_code == 200
    assert operator(again)
    assert get_user_model().objects.count() == 1
    assert stat.S_IMODE(os.stat(home / "demo.json").st_mode) == 0o600


def test_a_revoked_demo_key_is_replaced(home: Path) -> None:
    first = run("create_demo")
    run("revoke_api_key", first["apiKey"])
    again = run("create_demo")
    assert again["apiKey"] != first["apiKey"]
    assert call(again).status_code == 200
    assert again["operator"] == first["operator"]


def test_there_is_no_demo_in_production(home: Path, settings: object) -> None:
    settings.PRODUCTION = True
    with pytest.raises(CommandError, match="production"):
        call_command("create_demo")
    assert not (home / "demo.json").exists()
    assert not Merchant.objects.exists()
