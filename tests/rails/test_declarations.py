"""`manage.py declare_rails`: accounts and routes of a deployment without hands."""

import copy
import json
import sys
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from payments.core import clock
from payments.core.models import AuditEntry
from payments.providers.wompi import rail as wompi_rail
from payments.rails.models import ProviderAccount, Route, RouteChange
from payments.rails.services import accounts, approvals, route_changes
from payments.rails.services.errors import NotConfirmed
from tests.rails.accounts import WOMPI_CREDENTIALS, enter

pytestmark = pytest.mark.django_db
LIVE = {name: value.replace("test_", "prod_") for name, value in WOMPI_CREDENTIALS.items()}
NEW_SECRET = "test_events_newer"
ACCOUNT = {
    "name": "wompi-main",
    "provider": "wompi",
    "label": "Wompi",
    "mode": "SANDBOX",
    "credentials": WOMPI_CREDENTIALS,
}
ROUTE = {"name": "pse", "product": "payin", "account": "wompi-main", "method": "PSE", "priority": 7}
FILE = {"accounts": [ACCOUNT], "routes": [ROUTE]}
# Wompi as if an account could do without its last secret.
FEW = replace(
    wompi_rail.TYPE,
    credentials=(
        *wompi_rail.TYPE.credentials[:-1],
        replace(wompi_rail.TYPE.credentials[-1], is_optional=True),
    ),
    check_credentials=lambda account: None,
)


@pytest.fixture
def declare(settings, tmp_path):
    path = tmp_path / "rails.json"
    settings.RAIL_ACCOUNTS_FILE = str(path)

    def declare(content):
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        out = StringIO()
        call_command("declare_rails", stdout=out)
        return json.loads(out.getvalue())

    return declare


@pytest.fixture
def real_money(settings):
    settings.SANDBOX = False


def changed(path, value, content=FILE):
    """The declaration with another value at `accounts.0.label`."""
    changed = copy.deepcopy(content)
    *parents, last = path.split(".")
    inner = changed
    for part in parents:
        inner = inner[int(part) if part.isdigit() else part]
    inner[last] = value
    return changed


def live(**changes):
    account = {**ACCOUNT, "mode": "LIVE", "credentials": LIVE, **changes}
    return {"accounts": [account], "routes": [ROUTE]}


def account():
    return ProviderAccount.objects.get(pk="wompi-main")


def by(person, **more):
    return {"actor": person, "reason": "test", "now": clock.now(), **more}


def written():
    return list(AuditEntry.objects.order_by("id").values_list("action", flat=True))


def approve_account():
    accounts.switch_on(slug="wompi-main", **by("olga"))
    digest = approvals.digest_to_approve(account())
    approvals.approve(slug="wompi-main", digest=digest, **by("oscar"))


def test_declared_account_and_route_serve_and_repeating_changes_nothing(declare):
    told = declare(FILE)
    assert (told["accounts"]["created"], told["routes"]["created"]) == (["wompi-main"], ["pse"])
    assert (account().status, json.loads(account().credentials)) == ("ON", WOMPI_CREDENTIALS)
    assert Route.objects.values_list("account", "method", "priority").get() == (
        *("wompi-main", "PSE"),
        7,
    )
    before, rows = written(), list(ProviderAccount.objects.values())
    told = declare(FILE)
    assert (told["accounts"]["unchanged"], told["routes"]["unchanged"]) == (["wompi-main"], ["pse"])
    assert (written(), list(ProviderAccount.objects.values())) == (before, rows)


def test_optional_credential_may_be_left_out_and_never_rotates_by_that(declare, settings):
    settings.RAIL_TYPES = ["tests.rails.test_declarations.FEW"]
    few = {name: value for name, value in WOMPI_CREDENTIALS.items() if name != "events_secret"}

    declare(changed("accounts.0.credentials", few))
    declare(changed("accounts.0.credentials", few))

    assert json.loads(account().credentials) == {**few, "events_secret": ""}
    assert account().previous_credentials == ""


def test_changed_credentials_rotate_with_the_overlap(declare):
    declare(FILE)
    declare(changed("accounts.0.credentials.events_secret", NEW_SECRET))
    rail_account = accounts.to_rail_account(account(), clock.now())
    old = WOMPI_CREDENTIALS["events_secret"]
    assert rail_account.secrets("events_secret") == [NEW_SECRET, old]
    assert account().status == "ON"


def test_account_and_route_that_leave_are_off_and_never_deleted(declare):
    declare(FILE)
    told = declare({"accounts": [], "routes": []})
    assert told["accounts"]["switched_off"] == ["wompi-main"]
    assert told["routes"]["switched_off"] == ["pse"]
    assert (account().status, Route.objects.get().is_enabled) == ("OFF", False)
    before = written()
    declare({"accounts": [], "routes": []})
    assert written() == before
    declare(FILE)
    assert account().status == "ON"


def test_what_only_the_console_has_is_left_alone(declare):
    enter("by-hand", "wompi", "", WOMPI_CREDENTIALS)
    Route.objects.create(product="payin", account="by-hand")
    declare(FILE)
    declare({"accounts": [], "routes": []})
    assert ProviderAccount.objects.get(pk="by-hand").status == "ON"
    assert Route.objects.get(account="by-hand").is_enabled


def test_what_an_operator_changed_stays_until_the_entry_changes(declare):
    declare(FILE)
    accounts.switch_off(slug="wompi-main", **by("olga"))
    Route.objects.update(priority=50)
    declare(FILE)
    assert (account().status, Route.objects.get().priority) == ("OFF", 50)
    declare(changed("accounts.0.label", "Wompi 2", changed("routes.0.priority", 8)))
    assert (account().status, account().label) == ("ON", "Wompi 2")
    assert Route.objects.get().priority == 8


def test_nothing_declared_does_nothing(settings, monkeypatch):
    settings.RAIL_ACCOUNTS_FILE = ""
    monkeypatch.delenv("RAIL_ACCOUNTS", raising=False)
    call_command("declare_rails")
    monkeypatch.setenv("RAIL_ACCOUNTS", json.dumps(FILE))
    call_command("declare_rails", stdout=StringIO())
    call_command("declare_rails", stdout=StringIO())
    assert account().status == "ON"
    monkeypatch.delenv("RAIL_ACCOUNTS")
    call_command("declare_rails")
    assert account().status == "ON"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "line 1"),
        ("[]", "accounts"),
        ('{"accounts": NaN}', "NaN"),
        ('{"accounts": [], "accounts": []}', "twice"),
        ("[" * 100_000, "JSON"),
        ('{"routes": [{"priority": %s}]}' % ("9" * 5000), "JSON"),
        ('{"routes": [{"minAmount": 1e99999999999999999999}]}', "JSON"),
        (changed("accounts.0.name", "Wompi Main"), "Entry 1"),
        (changed("accounts.0.provider", "prv_test_secret"), "wompi-main.*provider.*wompi-payouts"),
        (changed("accounts.0.mode", "prv_test_secret"), "wompi-main.*mode"),
        (changed("accounts.0.prv_test_secret", "1"), "unknown key"),
        (changed("accounts.0.credentials.events_secret", "prv_test_secret"), "test_events_"),
        (changed("accounts.0.credentials.events_secret", "test_events_\u0000"), "events_secret"),
        (changed("accounts.0.credentials.prv_test_secret", "1"), "exactly"),
        (changed("accounts.0.label", "x" * 61), "label"),
        (changed("accounts.0.label", "\ud800"), "label"),
        (changed("accounts.0.enabled", "yes"), "enabled"),
        ({"accounts": [ACCOUNT, ACCOUNT]}, "more than once"),
        (live(), "LIVE never serves with SANDBOX=1"),
        (changed("routes.0.account", "prv_test_secret"), "routes pse.*no such account"),
        (changed("routes.0.product", "payout"), "carries only: payin"),
        (changed("routes.0.product", "prv_test_secret"), "product"),
        (changed("routes.0.merchant", "prv_test_secret"), "merchant"),
        (changed("routes.0.priority", True), "priority"),
        (changed("routes.0.priority", 32768), "priority"),
        (changed("routes.0.minAmount", "a"), "minAmount"),
        (changed("routes.0.minAmount", "1" * 30), "min_amount"),
    ],
)
def test_mistake_refuses_the_whole_file_and_no_message_has_a_value(declare, content, words):
    with pytest.raises(CommandError, match=words) as refused:
        declare(content)
    assert "prv_test" not in str(refused.value).replace("prv_test_", "", 0) or (
        "prv_test_secret" not in str(refused.value)
    )
    for secret in WOMPI_CREDENTIALS.values():
        assert secret not in str(refused.value)
    assert refused.value.__cause__ is None
    assert not ProviderAccount.objects.exists()
    assert not Route.objects.exists()
    assert written() == []


def test_depth_is_refused_whatever_python_allows(declare):
    allowed = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    try:
        with pytest.raises(CommandError, match="not valid JSON"):
            declare("[" * 100_000)
    finally:
        sys.setrecursionlimit(allowed)


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("accounts.0.credentials.public_key", "pub_test_other", "names the contract"),
        ("accounts.0.provider", "wompi-payouts", "provider"),
    ],
)
def test_other_contract_is_another_account(declare, path, value, words):
    declare(FILE)
    content = changed(path, value)
    if value == "wompi-payouts":
        names = ("api_key", "user_principal_id", "account_id", "email", "events_secret")
        content["accounts"][0]["credentials"] = dict.fromkeys(names, "test_events_1")
    with pytest.raises(CommandError, match=words):
        declare(content)
    assert json.loads(account().credentials) == WOMPI_CREDENTIALS


def test_file_that_cannot_be_read_is_refused(settings, tmp_path):
    settings.RAIL_ACCOUNTS_FILE = str(tmp_path / "missing.json")
    with pytest.raises(CommandError, match="RAIL_ACCOUNTS_FILE cannot be read"):
        call_command("declare_rails")


@pytest.mark.usefixtures("real_money")
def test_live_account_of_a_file_waits_for_two_persons(declare):
    told = declare(live())
    assert told["accounts"]["waiting"] == ["wompi-main"]
    assert told["routes"]["waiting"] == ["pse"]
    assert account().status == "OFF"
    assert not Route.objects.exists()
    approve_account()
    before = written()
    told = declare(live())
    assert told["routes"]["waiting"] == ["pse"]
    assert (account().status, written()) == ("ON", before)


@pytest.mark.usefixtures("real_money")
def test_new_credentials_of_a_live_account_are_confirmed_and_approved_by_two_persons(declare):
    declare(live())
    approve_account()
    newer = {**LIVE, "events_secret": "prod_events_newer"}
    told = declare(live(credentials=newer))
    assert told["accounts"]["waiting"] == ["wompi-main"]
    assert (json.loads(account().credentials), account().status) == (LIVE, "ON")
    before = written()
    declare(live(credentials=newer))
    assert written() == before
    seen = {"slug": "wompi-main", "digest": approvals.digest_to_approve(account())}
    with pytest.raises(NotConfirmed):
        approvals.approve_credentials(**seen, **by("oscar"))
    approvals.confirm_credentials(**seen, **by("olga"))
    with pytest.raises(Exception, match="cannot approve"):
        approvals.approve_credentials(**seen, **by("olga"))
    approvals.approve_credentials(**seen, **by("oscar"))
    assert json.loads(account().credentials) == newer
    assert declare(live(credentials=newer))["accounts"]["unchanged"] == ["wompi-main"]


def without_account():
    return {"accounts": [], "routes": []}


@pytest.mark.usefixtures("real_money")
@pytest.mark.parametrize("later", [lambda: live(), without_account])
def test_requested_credentials_go_when_the_file_has_them_no_longer(declare, later):
    declare(live())
    approve_account()
    declare(live(credentials={**LIVE, "events_secret": "prod_events_newer"}))
    assert account().requested_credentials
    declare(later())
    assert account().requested_credentials == ""
    assert json.loads(account().credentials) == LIVE
    assert written()[-1] == "rail_account.rotation_withdrawn"


@pytest.mark.usefixtures("real_money")
def test_requested_credentials_that_a_person_confirmed_stay(declare):
    declare(live())
    approve_account()
    declare(live(credentials={**LIVE, "events_secret": "prod_events_newer"}))
    seen = {"slug": "wompi-main", "digest": approvals.digest_to_approve(account())}
    approvals.confirm_credentials(**seen, **by("olga"))
    declare(without_account())
    assert account().requested_credentials


@pytest.mark.usefixtures("real_money")
def test_declared_route_to_a_live_account_is_confirmed_and_approved_by_two_persons(declare):
    declare(live())
    change = RouteChange.objects.get()
    with pytest.raises(NotConfirmed):
        route_changes.approve(change_id=change.pk, **by("oscar"))
    route_changes.confirm(change_id=change.pk, **by("olga"))
    route_changes.approve(change_id=change.pk, **by("oscar"))
    assert Route.objects.values_list("account", "priority", "declared_as").get() == (
        *("wompi-main", 7),
        "pse",
    )
    before = written()
    assert declare(live())["routes"]["unchanged"] == ["pse"]
    assert written() == before
    declare(changed("routes.0.priority", 8, live()))
    declare(changed("routes.0.priority", 9, live()))
    waiting = RouteChange.objects.get(status="REQUESTED")
    assert (waiting.values["priority"], Route.objects.get().priority) == (9, 7)
    declare(live())
    assert not RouteChange.objects.filter(status="REQUESTED").exists()


@pytest.mark.usefixtures("real_money")
def test_change_that_a_person_rejected_is_not_asked_for_again(declare):
    declare(live())
    route_changes.reject(change_id=RouteChange.objects.get().pk, **by("oscar"))
    assert declare(live())["routes"]["unchanged"] == ["pse"]
    assert RouteChange.objects.count() == 1
    declare(changed("routes.0.priority", 8, live()))
    assert RouteChange.objects.get(status="REQUESTED").values["priority"] == 8


@pytest.mark.usefixtures("real_money")
def test_route_to_a_live_account_that_leaves_is_disabled_by_two_persons(declare):
    declare(live())
    change = RouteChange.objects.get()
    route_changes.confirm(change_id=change.pk, **by("olga"))
    route_changes.approve(change_id=change.pk, **by("oscar"))
    left = {**live(), "routes": []}
    assert declare(left)["routes"]["waiting"] == ["pse"]
    assert Route.objects.get().is_enabled
    before = written()
    declare(left)
    assert written() == before
    change = RouteChange.objects.get(status="REQUESTED")
    route_changes.confirm(change_id=change.pk, **by("olga"))
    route_changes.approve(change_id=change.pk, **by("oscar"))
    assert not Route.objects.get().is_enabled


@pytest.mark.usefixtures("real_money")
@pytest.mark.parametrize("later", [live(), {"accounts": [], "routes": []}])
def test_credentials_that_the_declaration_takes_back_wait_no_longer(declare, later):
    declare(live())
    approve_account()
    declare(live(credentials={**LIVE, "events_secret": "prod_events_mistaken"}))
    assert account().requested_credentials
    declare(later)
    assert (account().requested_credentials, json.loads(account().credentials)) == ("", LIVE)
    assert "rail_account.rotation_withdrawn" in written()


@pytest.mark.usefixtures("real_money")
def test_credentials_that_a_person_asked_for_or_confirmed_wait_on(declare):
    declare(live())
    approve_account()
    declare(live(credentials={**LIVE, "events_secret": "prod_events_newer"}))
    digest = approvals.digest_to_approve(account())
    approvals.confirm_credentials(slug="wompi-main", digest=digest, **by("olga"))
    declare(live())
    assert account().requested_credentials
