"""The second factor: set up, asked for, lost, reset; and no address that opens without it."""

import contextlib
import re
import threading
from base64 import b32decode
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import URLPattern
from django_otp.plugins.otp_totp.models import TOTPDevice

from merchants.models import Membership, Merchant
from payments.console import second_factor
from payments.console.roles import MERCHANT_STAFF
from payments.core import clock
from payments.core.models import AuditEntry
from tests.admin.conftest import REASON, Console, url
from tests.support.concurrency import run_concurrently
from tests.support.console_login import PASSWORD, acted, code, log_in, wrong_code

pytestmark = pytest.mark.django_db
LOGIN_PAGES = {"login", "logout", "code", "device"}


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
    """A person who knows Ana's password and does not have her phone."""
    browser = Console()
    assert log_in(browser).status_code == 302
    return browser


def test_login_with_a_code_leads_to_the_wanted_page(
    ana: User, required: None, phone: bytes
) -> None:
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


@pytest.mark.slow
def test_no_address_opens_before_the_second_factor(half_way: Console) -> None:
    addresses = list(flat())
    assert len(addresses) > 200
    for name, path in addresses:
        if name in (*LOGIN_PAGES, "invitation"):
            continue
        # Lists and empty forms are read; what does something is sent, too.
        answers = [half_way.get(path)]
        if not name.endswith(("_changelist", "_history", "_delete")):
            answers.append(half_way.post(path, {"form_token": "x"}))
        for answer in answers:
            assert answer.status_code == 302, path
            assert answer.url.startswith(url("code")), path


@pytest.mark.slow
def test_no_address_opens_for_a_stranger(db: None) -> None:
    browser = Client()
    for name, path in flat():
        if name in ("login", "invitation"):
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


@pytest.mark.django_db(transaction=True)
def test_a_code_that_two_send_at_once_is_good_for_one(
    half_way: Console, phone: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    thief = Console()
    log_in(thief)
    used, verify = code(phone), TOTPDevice.verify_token
    both_are_looking = threading.Barrier(2)

    def look_together(device: TOTPDevice, token: str) -> bool:
        # The other one waits for the row that we hold, and never comes here with us.
        with contextlib.suppress(threading.BrokenBarrierError):
            both_are_looking.wait(timeout=2)
        return bool(verify(device, token))

    monkeypatch.setattr(TOTPDevice, "verify_token", look_together)
    answers = run_concurrently(
        [partial(browser.post, url("code"), {"code": used}) for browser in (half_way, thief)]
    )
    assert sorted(answer.status_code for answer in answers) == [302, 400]
    assert sorted(page.page("index").status_code for page in (half_way, thief)) == [200, 302]


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
    shown = re.search(r'id="device-secret">([A-Z2-7 ]+)</code>', html)
    assert shown
    key = b32decode(shown[1].replace(" ", ""))
    assert browser.post(url("device"), {"code": wrong_code(key)}).status_code == 400
    time = clock.now() + timedelta(minutes=1)
    with time_machine.travel(time, tick=False):
        done = browser.post(url("device"), {"code": code(key)})
        assert done.status_code == 200
        codes = re.findall(
            r"select-all[^>]*>([a-z2-7]{4} [a-z2-7]{4})</code>", done.content.decode()
        )
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


# An old cookie and the password, without the phone.


@pytest.fixture
def inside(half_way: Console, phone: bytes) -> Console:
    """Ana's browser, whose cookie another person will have later."""
    assert half_way.post(url("code"), {"code": code(phone)}).status_code == 302
    assert half_way.page("index").status_code == 200
    return half_way


@pytest.mark.parametrize("after", [timedelta(minutes=1), timedelta(hours=11), timedelta(hours=13)])
def test_a_password_alone_revives_no_session(inside: Console, after: timedelta) -> None:
    with time_machine.travel(clock.now() + after, tick=False):
        assert log_in(inside).status_code == 302
        assert inside.page("index").url.startswith(url("code"))
        assert inside.page("device").url == url("code")


def test_a_login_takes_nothing_over(inside: Console) -> None:
    old = inside.cookies["sessionid"].value
    log_in(inside, password="wrong")
    assert not Session.objects.filter(pk=old).exists()
    assert inside.page("index").url.startswith(url("login"))


def test_other_ways_to_log_in_keep_no_device(inside: Console, ana: User) -> None:
    inside.force_login(ana)  # Django keeps the session of the same person
    assert inside.page("index").url.startswith(url("code"))


def test_a_password_alone_makes_no_session_fresh(
    inside: Console, phone: bytes, merchant: Merchant
) -> None:
    with time_machine.travel(clock.now() + timedelta(minutes=16), tick=False):
        log_in(inside)
        issued = inside.post(url("merchants_merchant_issue_key", merchant.pk), {"label": "x"})
        assert issued.url.startswith(url("code"))
        assert "console_fresh" not in inside.session
        inside.post(url("code"), {"code": code(phone)})
        shown = inside.submit("merchants_merchant_issue_key", merchant.pk, label="x")
        assert "sk_" in shown.content.decode()


def test_another_device_takes_a_code_of_the_old_one(
    inside: Console, ana: User, phone: bytes
) -> None:
    spare = second_factor.new_backup_codes(ana.pk)
    with time_machine.travel(clock.now() + timedelta(minutes=2), tick=False) as time:
        # The code of the login counts for other acts, and not for this one.
        asked = inside.page("device").content.decode()
        assert "confirm_code" in asked
        assert "data:image/svg+xml" not in asked
        assert not TOTPDevice.objects.filter(user=ana, confirmed=False).exists()
        given = {"confirm_password": PASSWORD, "confirm_return": "1"}
        for bad in ("", wrong_code(phone)):
            tried = inside.post(url("device"), {**given, "confirm_code": bad})
            assert tried.status_code == 400
        time.shift(timedelta(minutes=1))
        assert inside.post(url("device"), {**given, "confirm_code": spare[0]}).status_code == 302
        assert "data:image/svg+xml" in inside.page("device").content.decode()
        new = TOTPDevice.objects.get(user=ana, confirmed=False)
        assert inside.post(url("device"), {"code": code(new.bin_key)}).status_code == 200
        assert list(TOTPDevice.objects.filter(user=ana)) == [new]
        # Once: the next one takes a code of the new device.
        assert "confirm_code" in inside.page("device").content.decode()


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
    new = re.findall(r"select-all[^>]*>([a-z2-7]{4} [a-z2-7]{4})</code>", page.content.decode())
    assert len(new) == second_factor.BACKUP_CODES
    assert acted("operator.backup_codes_made").actor == "ana"
    for given, status in ((old[1], 400), (new[0], 302)):
        browser = Console()
        log_in(browser)
        assert browser.post(url("code"), {"code": given}).status_code == status
        second_factor.end_waits(ana)


def test_person_who_came_in_by_a_backup_code_stays_in(console: Console, ana: User) -> None:
    TOTPDevice.objects.create(user=ana, name="app", confirmed=True)
    console.post(url("code"), {"code": second_factor.new_backup_codes(ana.pk)[0]})
    assert "9 " in console.page("access").content.decode()
    assert console.post(url("backup_codes")).status_code == 200
    assert console.page("index").status_code == 200


def test_people_of_merchants_have_the_same_login(merchant: Merchant, required: None) -> None:
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
        call_command("reset_second_factor", "unknown", reason="x")
