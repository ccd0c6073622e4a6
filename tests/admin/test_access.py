"""Access to the console: passwords, the lock-out, the ends of sessions, and what it costs."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings as project
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from payments.collect.models import Order
from payments.console import lockout, tasks
from payments.console.roles import FINANCE
from payments.core import clock
from tests.admin.conftest import REASON, Console, person, url
from tests.support.console_login import PASSWORD, acted, log_in
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db


# The lock-out.


def test_operator_logs_in_with_name_and_password(ana: User) -> None:
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
        time.shift(timedelta(minutes=2))  # those who tried during the lock-out wait no longer
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


def test_ports_in_forwarded_addresses_lock_no_other_person_out(ana: User, settings: Any) -> None:
    settings.TRUSTED_PROXIES = 1

    def tries(address: str, password: str = "wrong") -> int:
        return int(
            log_in(Client(), password=password, headers={"X-Forwarded-For": address}).status_code
        )

    assert [tries(f"203.0.113.9:{port}") for port in range(51_001, 51_006)] == [200] * 4 + [429]
    assert lockout.locked_addresses(ana) == ["203.0.113.9"]
    assert tries("203.0.113.9:60000", PASSWORD) == 429
    assert tries("198.51.100.4:51001", PASSWORD) == 302
    assert [tries(f"[2800:e2:1:1::{n}]:{n}") for n in range(1, 6)] == [200] * 4 + [429]
    assert tries("[2800:e2:1:2::1]:443", PASSWORD) == 302


def test_the_lock_is_of_one_ipv6_network(ana: User) -> None:
    def tries(address: str, password: str = "wrong") -> int:
        return int(log_in(Client(REMOTE_ADDR=address), password=password).status_code)

    answers = [tries(f"2800:e2:1:1:{host:x}::{host:x}") for host in range(1, 6)]
    assert answers == [200] * 4 + [429]
    assert tries("2800:e2:1:1::ffff", PASSWORD) == 429
    assert lockout.locked_addresses(ana) == ["2800:e2:1:1::"]
    assert tries("2800:e2:1:2::1", PASSWORD) == 302
    # IPv4 as a socket for both writes it is an address of its own each, not one network.
    for _ in range(5):
        tries("::ffff:203.0.113.9")
    assert tries("203.0.113.9", PASSWORD) == 429
    assert tries("::ffff:203.0.113.10", PASSWORD) == 302


def test_login_page_never_shows_who_has_an_account(ana: User) -> None:
    def shown(name: str) -> list[tuple[int, str]]:
        answers = [log_in(Client(), name, "wrong") for _ in range(6)]
        # The name typed, the form's token, and when the lock-out ends.
        own = rf'value="{name}"|«{name}»|value="[A-Za-z0-9]{{64}}"|\d\d:\d\d'
        return [(a.status_code, re.sub(own, "", a.content.decode())) for a in answers]

    User.objects.create_user("rosa", password=PASSWORD, is_staff=True, is_active=False)
    User.objects.create_user("luis", password=PASSWORD)
    assert shown("ana") == shown("unknown") == shown("rosa") == shown("luis")
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
    for name in ("ana", "unknown"):
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


def test_locked_addresses_are_read_once_for_a_page(
    ana: User, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    beto = User.objects.create_user("beto", password=PASSWORD, is_staff=True)
    asked = []
    monkeypatch.setattr(lockout, "locked_addresses", lambda user: asked.append(user.pk) or [])
    console.page("auth_user_change", beto.pk)
    assert asked == [beto.pk]


# Sessions.


def test_a_session_without_clicks_ends(console: Console) -> None:
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


FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = (
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/140.0.0.0 Mobile Safari/537.36"
)


def test_each_session_says_its_browser_and_address_and_ends_alone(
    console: Console, ana: User
) -> None:
    laptop = Console(HTTP_USER_AGENT=FIREFOX, REMOTE_ADDR="203.0.113.9")
    phone = Console(HTTP_USER_AGENT=PHONE, REMOTE_ADDR="2800:e2:1:1::7")
    for browser in (laptop, phone):
        log_in(browser)
    own = phone.page("access").context["sessions"]
    assert [tuple(one.browser) for one in own] == [
        ("Chrome", "Android"),
        ("Firefox", "Windows"),
        ("", ""),
    ]
    assert [one.is_current for one in own] == [True, False, False]
    assert [one.address for one in own[:2]] == ["2800:e2:1:1::", "203.0.113.9"]
    assert all(key not in str(own) for key in Session.objects.values_list("pk", flat=True))
    phone.post(url("end_sessions"), {"which": own[1].name})
    assert laptop.page("index").status_code == 302
    assert console.page("index").status_code == 200
    assert acted("operator.sessions_ended").details == {"sessions": 1}
    phone.post(url("end_sessions"), {"which": "others"})
    assert console.page("index").status_code == 302
    assert phone.page("index").status_code == 200


def test_a_person_cannot_end_the_session_of_a_colleague(console: Console, ana: User) -> None:
    colleague = person("dora", FINANCE)
    name = colleague.page("access").context["sessions"][0].name
    console.post(url("end_sessions"), {"which": name})
    assert colleague.page("index").status_code == 200


@pytest.mark.parametrize("name", ["0" * 16, "señal\x00", "x" * 5000])
def test_a_name_of_no_session_ends_none(console: Console, name: str) -> None:
    assert console.post(url("end_sessions"), {"which": name}).status_code == 302
    assert console.page("index").status_code == 200


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


def test_after_a_wrong_password_the_password_has_the_focus(ana: User) -> None:
    def focused(page: str) -> list[str]:
        inputs = [tag for tag in re.findall(r"<input[^>]*>", page) if " autofocus" in tag]
        return [name for tag in inputs for name in re.findall(r'name="(\w+)"', tag)]

    assert focused(Client().get(url("login")).content.decode()) == ["username"]
    refused = log_in(Client(), password="wrong")
    assert focused(refused.content.decode()) == ["password"]
