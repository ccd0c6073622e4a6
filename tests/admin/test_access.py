"""The doorway of the console: passwords, the lock-out, the second factor, the ends of sessions."""

import hmac
import re
from base64 import b32decode
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings as project
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern
from django_otp.plugins.otp_totp.models import TOTPDevice

from merchants.models import Membership, Merchant
from payments.collect.models import Order
from payments.core import clock, tasks
from payments.core.console import second_factor
from payments.core.models import AuditEntry
from payments.core.roles import FINANCE, MERCHANT_STAFF
from tests.admin.conftest import REASON, Console, person, url
from tests.fixtures import ApiClient

pytestmark = pytest.mark.django_db
PASSWORD = "Volcán-Galeras-4276"
DOORWAY = {"login", "logout", "code", "device"}


def log_in(browser: Client, name: str = "ana", password: str = PASSWORD, **more: Any) -> Any:
    return browser.post(url("login"), {"username": name, "password": password}, **more)


def code(key: bytes, steps: int = 0) -> str:
    """What an app shows now, or some half minutes later (RFC 6238)."""
    counter = int(clock.now().timestamp()) // 30 + steps
    digest = hmac.digest(key, counter.to_bytes(8, "big"), "sha1")
    start = digest[19] & 15
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFFFFFF
    return f"{number % 1_000_000:06d}"


def wrong_code(key: bytes) -> str:
    """None of those that a device would take now."""
    good = {code(key, steps) for steps in range(-3, 4)}
    return next(guess for guess in ("000000", "111111", "222222", "333333") if guess not in good)


def acted(action: str) -> AuditEntry:
    return AuditEntry.objects.get(action=action)


@pytest.fixture
def required(settings: Any) -> None:
    """As outside development."""
    settings.CONSOLE_SECOND_FACTOR = True


@pytest.fixture
def phone(ana: User) -> bytes:
    """Ana's phone, set up long ago: the key of its codes."""
    return TOTPDevice.objects.create(user=ana, name="app", confirmed=True).bin_key


@pytest.fixture
def half_way(ana: User, required: None, phone: bytes) -> Console:
    """Somebody who knows Ana's password, and has not her phone."""
    browser = Console()
    assert log_in(browser).status_code == 302
    return browser


# The lock-out.


def test_it_works(ana: User, required: None, phone: bytes) -> None:
    browser = Console()
    entered = browser.post(
        f"{url('login')}?next={url('collect_order_changelist')}",
        {"username": "ana", "password": PASSWORD, "next": url("collect_order_changelist")},
    )
    assert entered.url == url("collect_order_changelist")
    asked = browser.get(entered.url)
    assert asked.url.startswith(url("code"))
    passed = browser.post(asked.url, {"code": code(phone)})
    assert passed.url == url("collect_order_changelist")
    assert browser.get(passed.url).status_code == 200


def test_the_login_alone_leads_to_the_first_page(ana: User) -> None:
    assert log_in(Client()).url == url("index")


def test_the_right_password_waits_as_well_after_five_wrong_ones(ana: User) -> None:
    browser = Client()
    with time_machine.travel(clock.now(), tick=False) as time:
        answers = [log_in(browser, password="wrong").status_code for _ in range(6)]
        assert answers == [200] * 4 + [429] * 2
        right = log_in(browser)
        assert (right.status_code, right.headers["Retry-After"]) == (429, "900")
        assert browser.get(url("index")).status_code == 302
        locked = acted("operator.locked_out")
        assert (locked.actor, locked.subject_id) == ("console", str(ana.pk))
        time.shift(timedelta(minutes=14))
        assert log_in(browser).status_code == 429
        time.shift(timedelta(minutes=2))  # those who tried meanwhile wait no longer for it
        assert log_in(browser).status_code == 302
    assert browser.get(url("index")).status_code in (200, 302)


def test_the_lock_is_of_one_address(ana: User, settings: Any) -> None:
    settings.TRUSTED_PROXIES = 1
    guesser, owner = {"X-Forwarded-For": "203.0.113.9"}, {"X-Forwarded-For": "198.51.100.4"}
    for _ in range(5):
        forged = {"X-Forwarded-For": f"192.0.2.{_}, 203.0.113.9"}
        refused = log_in(Client(), password="wrong", headers=forged)
    assert refused.status_code == 429
    assert log_in(Client(), headers=guesser).status_code == 429
    assert log_in(Client(), headers=owner).status_code == 302


def test_nobody_learns_who_has_an_account(ana: User) -> None:
    def shown(name: str) -> list[tuple[int, str]]:
        answers = [log_in(Client(), name, "wrong") for _ in range(6)]
        own = rf'value="{name}"|value="[A-Za-z0-9]{{64}}"'  # the name typed, and the form's token
        return [(a.status_code, re.sub(own, "", a.content.decode())) for a in answers]

    User.objects.create_user("rosa", password=PASSWORD, is_staff=True, is_active=False)
    User.objects.create_user("luis", password=PASSWORD)
    assert shown("ana") == shown("nobody") == shown("rosa") == shown("luis")
    expected = re.sub(r'value="[^"]*"', "", log_in(Client(), "x", "wrong").content.decode())
    for name in ("rosa", "luis"):  # neither a deactivated person nor one who is not of the staff
        answer = log_in(Client(REMOTE_ADDR="198.51.100.7"), name)
        assert re.sub(r'value="[^"]*"', "", answer.content.decode()) == expected


def test_an_unknown_name_costs_a_hash_too(ana: User, monkeypatch: Any) -> None:
    from django.contrib.auth.hashers import MD5PasswordHasher

    hashed = []
    encode = MD5PasswordHasher.encode
    monkeypatch.setattr(
        MD5PasswordHasher, "encode", lambda *a, **k: hashed.append(1) or encode(*a, **k)
    )
    for name in ("ana", "nobody"):
        before = len(hashed)
        log_in(Client(), name, "wrong")
        assert len(hashed) == before + 1, name


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("x" * 300, {}),
        ("ana\x00", {}),
        ("a'; --", {"headers": {"User-Agent": "é" * 400}}),
        ("ana", {"REMOTE_ADDR": ""}),
        ("ana", {"headers": {"Accept": "x" * 2000}}),
    ],
)
def test_odd_logins_are_refused_like_others(ana: User, name: str, more: Any) -> None:
    assert log_in(Client(), name, "wrong", **more).status_code == 200


def test_a_colleague_unlocks_and_says_why(ana: User, console: Console) -> None:
    beto = User.objects.create_user("beto", password=PASSWORD, is_staff=True)
    for _ in range(5):
        log_in(Client(), "beto", "wrong")
    assert log_in(Client(), "beto").status_code == 429
    page = console.page("auth_user_change", beto.pk).content.decode()
    assert url("auth_user_unlock", beto.pk) in page
    assert "127.0.0.1" in page
    assert console.submit("auth_user_unlock", beto.pk).status_code == 302
    entry = acted("operator.unlocked")
    assert (entry.actor, entry.subject_id, entry.reason) == ("ana", str(beto.pk), REASON)
    assert log_in(Client(), "beto").status_code == 302
    page = console.page("auth_user_change", beto.pk).content.decode()
    assert url("auth_user_unlock", beto.pk) not in page


# The second factor.


def flat() -> Iterator[tuple[str, str]]:
    """Every address of the console."""

    def walk(patterns: Any, prefix: str = "/admin/") -> Iterator[tuple[str, str]]:
        for entry in patterns:
            path = prefix + re.sub(r"<[^>]*>", "1", str(entry.pattern)).strip("^$")
            if isinstance(entry, URLPattern):
                yield entry.name or "", path.replace("(?P1.*)", "x").replace("(?P1", "auth")
            else:
                yield from walk(entry.url_patterns, path)

    return walk(admin.site.get_urls())


def test_no_address_opens_before_the_second_factor(half_way: Console) -> None:
    addresses = list(flat())
    assert len(addresses) > 200
    for name, path in addresses:
        if name in DOORWAY:
            continue
        # Lists and empty forms are read; what does something is sent, too.
        answers = [half_way.get(path)]
        if not name.endswith(("_changelist", "_history", "_delete")):
            answers.append(half_way.post(path, {"form_token": "x"}))
        for answer in answers:
            assert answer.status_code == 302, path
            assert answer.url.startswith(url("code")), path


def test_no_address_opens_for_a_stranger(db: None) -> None:
    browser = Client()
    for name, path in flat():
        if name == "login":
            continue
        answer = browser.get(path)
        assert answer.status_code == 302, path
        assert answer.url.startswith(url("login")), path


def test_a_code_is_good_once(half_way: Console, phone: bytes) -> None:
    used = code(phone)
    assert half_way.post(url("code"), {"code": used}).status_code == 302
    assert half_way.page("index").status_code == 200
    thief = Console()
    log_in(thief)
    again = thief.post(url("code"), {"code": used})
    assert again.status_code == 400
    assert thief.page("index").status_code == 302


@pytest.mark.parametrize(
    "given", ["", "wrong", "12345", "١٢٣٤٥٦", "-12345", "1e5", "\x00", "0" * 50]
)
def test_what_is_no_code_opens_nothing(half_way: Console, given: str) -> None:
    assert half_way.post(url("code"), {"code": given}).status_code == 400
    assert half_way.page("index").status_code == 302


def test_codes_cannot_be_guessed(half_way: Console, phone: bytes, console: Console) -> None:
    with time_machine.travel(clock.now(), tick=False) as time:
        for _ in range(4):
            assert half_way.post(url("code"), {"code": wrong_code(phone)}).status_code == 400
            time.shift(timedelta(seconds=1))
        # Wrong ones make the next one wait: 1, 2, 4 ... seconds.
        assert half_way.post(url("code"), {"code": code(phone)}).status_code == 400
        time.shift(timedelta(minutes=1))
        assert half_way.post(url("code"), {"code": code(phone)}).status_code == 302


def test_the_code_leads_to_no_other_site(half_way: Console, phone: bytes) -> None:
    there = half_way.post(url("code"), {"code": code(phone), "next": "https://evil.example/"})
    assert there.url == url("index")


def test_a_new_operator_sets_up_a_device(ana: User, required: None) -> None:
    browser, elsewhere = Console(), Console()
    log_in(elsewhere)
    log_in(browser)
    asked = browser.get(url("index"))
    assert asked.url.startswith(url("device"))
    page = browser.get(asked.url)
    assert page.headers["Cache-Control"].startswith("no-store, private")
    html = page.content.decode()
    assert 'src="data:image/svg+xml' in html
    shown = re.search(r"select-all\">([A-Z2-7 ]+)</code>", html)
    assert shown
    key = b32decode(shown[1].replace(" ", ""))
    assert browser.post(url("device"), {"code": wrong_code(key)}).status_code == 400
    time = clock.now() + timedelta(minutes=1)
    with time_machine.travel(time, tick=False):
        done = browser.post(url("device"), {"code": code(key)})
        assert done.status_code == 200
        codes = re.findall(r"select-all\">([a-z2-7]{8})</code>", done.content.decode())
        assert len(codes) == second_factor.BACKUP_CODES
        assert browser.page("index").status_code == 200
        # What was logged in before is not.
        assert elsewhere.page("index").url.startswith(url("login"))
        assert acted("operator.second_factor_set").actor == "ana"
        assert key.hex() not in str(list(AuditEntry.objects.values()))

        lost = Console()
        log_in(lost)
        assert lost.post(url("code"), {"code": codes[3].upper()}).status_code == 302
        assert lost.page("index").status_code == 200
        again = Console()
        log_in(again)
        assert again.post(url("code"), {"code": codes[3]}).status_code == 400


def test_a_password_alone_sets_up_no_other_device(half_way: Console, phone: bytes) -> None:
    assert half_way.page("device").url == url("code")
    assert half_way.post(url("device"), {"code": code(phone)}).url == url("code")
    assert TOTPDevice.objects.count() == 1


def test_in_development_it_is_possible_and_not_needed(console: Console, ana: User) -> None:
    assert console.page("index").status_code == 200
    assert url("device") in console.page("access").content.decode()
    page = console.page("device").content.decode()
    key = TOTPDevice.objects.get(user=ana).bin_key
    assert "data:image/svg+xml" in page
    assert console.post(url("device"), {"code": code(key)}).status_code == 200
    again = Console()
    log_in(again)
    assert again.page("index").url.startswith(url("code"))


def test_new_backup_codes_take_the_place_of_old_ones(console: Console, ana: User) -> None:
    TOTPDevice.objects.create(user=ana, name="app", confirmed=True)
    old = second_factor.new_backup_codes(ana.pk)
    console.post(url("code"), {"code": old[0]})
    page = console.post(url("backup_codes"))
    new = re.findall(r"select-all\">([a-z2-7]{8})</code>", page.content.decode())
    assert len(new) == second_factor.BACKUP_CODES
    assert acted("operator.backup_codes_made").actor == "ana"
    for given, status in ((old[1], 400), (new[0], 302)):
        browser = Console()
        log_in(browser)
        assert browser.post(url("code"), {"code": given}).status_code == status
        second_factor.end_waits(ana)


def test_whoever_came_in_by_a_backup_code_stays_in(console: Console, ana: User) -> None:
    TOTPDevice.objects.create(user=ana, name="app", confirmed=True)
    console.post(url("code"), {"code": second_factor.new_backup_codes(ana.pk)[0]})
    assert "9 " in console.page("access").content.decode()
    assert console.post(url("backup_codes")).status_code == 200
    assert console.page("index").status_code == 200


def test_people_of_merchants_have_the_same_doorway(merchant: Merchant, required: None) -> None:
    dora = User.objects.create_user("dora", password=PASSWORD, is_staff=True)
    dora.groups.add(Group.objects.get(name=MERCHANT_STAFF))
    Membership.objects.create(user=dora, merchant=merchant)
    browser = Console()
    log_in(browser, "dora")
    assert browser.page("collect_order_changelist").url.startswith(url("device"))
    browser.page("device")
    key = TOTPDevice.objects.get(user=dora).bin_key
    assert browser.post(url("device"), {"code": code(key)}).status_code == 200
    assert browser.page("access").status_code == 200
    assert browser.page("collect_order_changelist").status_code == 200
    assert browser.post(url("backup_codes")).status_code == 200
    assert browser.post(url("end_sessions")).status_code == 302
    assert browser.page("index").status_code == 302


def test_a_stolen_session_does_not_guess_the_password(console: Console) -> None:
    form = {"old_password": "x", "new_password1": "Cocha-33-laguna", "new_password2": "y"}
    with time_machine.travel(clock.now() + timedelta(minutes=16), tick=False):
        for _ in range(2):
            assert "confirm_password" in console.post(url("password_change"), form).content.decode()


def test_a_lost_device_is_reset_by_a_colleague(ana: User, half_way: Console, phone: bytes) -> None:
    half_way.post(url("code"), {"code": code(phone)})
    assert half_way.page("index").status_code == 200
    root = User.objects.create_superuser("root", password=PASSWORD)
    TOTPDevice.objects.create(user=root, name="app", confirmed=True)
    helper = Console()
    helper.force_login(root)
    helper.post(url("code"), {"code": second_factor.new_backup_codes(root.pk)[0]})
    own = helper.submit("auth_user_reset_second_factor", root.pk)
    assert own.status_code == 400
    assert helper.submit("auth_user_reset_second_factor", ana.pk).status_code == 302
    entry = acted("operator.second_factor_reset")
    assert (entry.actor, entry.subject_id, entry.reason) == ("root", str(ana.pk), REASON)
    assert half_way.page("index").url.startswith(url("login"))
    log_in(half_way)
    assert half_way.page("index").url.startswith(url("device"))


def test_a_command_resets_it_when_there_is_no_colleague(
    ana: User, phone: bytes, capsys: Any
) -> None:
    for _ in range(5):
        log_in(Client(), password="wrong")
    call_command("reset_second_factor", "ana", reason="Phone stolen, ticket 9")
    assert capsys.readouterr().out.strip() == '{"operator":"ana"}'
    assert not second_factor.has_device(ana)
    assert acted("operator.second_factor_reset").actor.startswith("command:")
    assert log_in(Client()).status_code == 302
    with pytest.raises(CommandError):
        call_command("reset_second_factor", "nobody", reason="x")


# Sessions.


def test_a_session_ends_when_nobody_clicks(console: Console) -> None:
    with time_machine.travel(clock.now(), tick=False) as time:
        for _ in range(3):
            time.shift(timedelta(minutes=29))
            assert console.page("index").status_code == 200
        time.shift(timedelta(minutes=31))
        ended = console.page("collect_order_changelist")
        assert ended.url.startswith(url("login"))
        assert "next=" in ended.url
    assert console.page("index").status_code == 302


def test_a_session_ends_after_half_a_day_whatever_happens(console: Console) -> None:
    with time_machine.travel(clock.now(), tick=False) as time:
        for _ in range(28):
            time.shift(timedelta(minutes=25))
            assert console.page("access").status_code == 200
        time.shift(timedelta(minutes=25))
        assert console.page("access").status_code == 302


def test_one_click_ends_all_sessions(console: Console, ana: User) -> None:
    others = [Console(), Console()]
    for browser in others:
        log_in(browser)
    colleague = person("dora", FINANCE)
    assert console.get(url("end_sessions")).status_code == 405
    assert console.post(url("end_sessions")).url == url("login")
    for browser in (console, *others):
        assert browser.page("index").status_code == 302
    assert colleague.page("index").status_code == 200
    assert acted("operator.sessions_ended").details == {"sessions": 3}


def test_a_deactivated_person_is_out_at_once(console: Console, ana: User) -> None:
    User.objects.filter(pk=ana.pk).update(is_active=False)
    assert console.page("index").status_code == 302


def test_old_sessions_and_guesses_are_forgotten(ana: User) -> None:
    log_in(Client())
    log_in(Client(), password="wrong")
    with time_machine.travel(clock.now() + timedelta(hours=13)):
        log_in(Client())
        tasks.forget_sessions()
    assert Session.objects.count() == 1


# What is not the console pays for none of it.


def test_payers_and_merchants_pay_no_query_for_it(
    api: ApiClient, order: Order, console: Console
) -> None:
    tables = ("django_session", "otp_", "axes_", "auth_user", "merchants_membership")
    console.page("index")
    page = order.collect_url.removeprefix("http://testserver")
    with CaptureQueriesContext(connection) as queries:
        assert console.get(page).status_code == 200
        assert api.get(f"/collect/{order.pk}").status_code == 200
        assert Client().get(page).status_code == 200
    sql = "\n".join(query["sql"] for query in queries)
    assert sql
    assert [table for table in tables if table in sql] == []


def test_the_console_itself_pays_little(console: Console, ana: User) -> None:
    names = ("otp_totp", "otp_static", "axes")
    with CaptureQueriesContext(connection) as queries:
        console.page("access")
    assert len([q for q in queries if any(name in q["sql"] for name in names)]) <= 4
    with CaptureQueriesContext(connection) as queries:
        console.page("collect_order_changelist")
    assert len([q for q in queries if any(name in q["sql"] for name in names)]) == 1


def test_the_defaults_are_those_of_the_manual() -> None:
    assert project.AXES_FAILURE_LIMIT == 5
    assert project.AXES_COOLOFF_TIME.total_seconds() == 900
    assert (project.CONSOLE_IDLE_SECONDS, project.CONSOLE_SESSION_SECONDS) == (1800, 43200)
