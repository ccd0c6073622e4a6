"""A password given by another person opens one page: where its person chooses their own."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Group, User
from django.core.management import call_command
from django.db import connections
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from merchants.models import Merchant
from payments.console import first_password, roles
from payments.console.models import FirstPassword
from payments.core import clock
from payments.core.models import AuditEntry
from payments.payout.models import Payout
from tests.admin.conftest import REASON, Console, credit, person, send, url
from tests.admin.test_second_factor import flat
from tests.support.console_login import PASSWORD, acted, code, log_in
from tests.support.fixtures import ApiClient

OWN = "Nevado-Cumbal-4764"
# What is open to a person who logged in with such a password.
OPEN = {"login", "logout", "first_password", "invitation"}


def new_operator(console: Console, name: str = "dora", role: str = roles.VIEWER) -> str:
    """Made in the console; the password as its page shows it."""
    group = Group.objects.get(name=role).pk
    form = {"username": name, "email": f"{name}@pasarela.example", "groups": [group]}
    shown = console.post(url("auth_user_add"), form)
    assert "puedes ver después" not in shown.content.decode()  # a password is shown once
    assert shown.status_code == 200, shown
    assert "no-store" in shown.headers["Cache-Control"]
    return list(shown.context["values"].values())[1]


def entered(name: str, password: str, **more: Any) -> Console:
    """Logged in with the password that was given."""
    browser = Console()
    assert log_in(browser, name, password, **more).status_code == 302
    return browser


def choose(browser: Console, password: str = OWN, **more: Any) -> Any:
    form = {"new_password1": password, "new_password2": password, **more}
    return browser.post(url("first_password"), form)


@pytest.fixture
def given(console: Console) -> str:
    """Dora's single-use password, as Ana read it."""
    return new_operator(console)


@pytest.mark.django_db
class TestFirstLogin:
    def test_new_operator_chooses_a_password_and_is_in(self, given: str) -> None:
        browser = entered("dora", given)
        wanted = browser.page("collect_order_changelist")
        assert wanted.url.startswith(url("first_password"))
        page = browser.get(wanted.url)
        assert "ana" in page.content.decode()
        chosen = choose(browser, next=page.context["next"])
        assert chosen.url == url("collect_order_changelist")
        assert browser.get(chosen.url).status_code == 200
        assert log_in(Client(), "dora", OWN).status_code == 302
        assert log_in(Client(), "dora", given).status_code == 200  # refused

    @pytest.mark.slow
    def test_no_address_opens_before_the_change(self, given: str, settings: Any) -> None:
        browser = entered("dora", given)
        User.objects.filter(username="dora").update(is_superuser=True)
        addresses = [(name, path) for name, path in flat() if name not in OPEN]
        assert len(addresses) > 200
        for name, path in addresses:
            answers = [browser.get(path)]
            if not name.endswith(("_changelist", "_history", "_delete")):
                answers.append(browser.post(path, {"form_token": "x", "reason": REASON}))
            for answer in answers:
                assert answer.status_code == 302, path
                inner = browser.get(answer.url) if name == "code" else answer
                assert inner.url.startswith(url("first_password")), path
        assert FirstPassword.objects.exists()

    @pytest.mark.parametrize(
        "bad", ["", "short7", "12345678901", "password", "dora@pasarela", "given"]
    )
    def test_password_that_is_known_or_weak_is_refused(self, given: str, bad: str) -> None:
        browser = entered("dora", given)
        refused = choose(browser, given if bad == "given" else bad)
        assert refused.status_code == 400
        assert refused.context["form"].errors
        assert browser.page("index").status_code == 302
        assert log_in(Client(), "dora", given).status_code == 302
        assert not AuditEntry.objects.filter(action=first_password.CHOSEN).exists()

    def test_two_different_passwords_are_refused(self, given: str) -> None:
        browser = entered("dora", given)
        assert choose(browser, new_password2=OWN + "x").status_code == 400

    def test_change_is_in_the_audit_log_with_time_and_address(self, given: str) -> None:
        before = clock.now()
        browser = entered("dora", given, REMOTE_ADDR="198.51.100.4")
        browser.defaults["REMOTE_ADDR"] = "198.51.100.4"
        choose(browser)
        dora = User.objects.get(username="dora")
        row = acted(first_password.CHOSEN)
        assert (row.actor, row.subject_id) == ("dora", str(dora.pk))
        assert row.details["address"] == "198.51.100.4"
        assert (row.details["given_by"], row.details["given_from"]) == ("ana", "127.0.0.1")
        assert before <= row.at <= clock.now()
        first = acted(first_password.GIVEN)
        assert (first.actor, first.details["address"]) == ("ana", "127.0.0.1")
        kept = str(list(AuditEntry.objects.values()))
        assert given not in kept
        assert OWN not in kept

    def test_other_sessions_of_the_person_end_with_the_change(self, given: str) -> None:
        here, elsewhere = entered("dora", given), entered("dora", given)
        assert choose(here).status_code == 302
        assert elsewhere.page("first_password").url.startswith(url("login"))
        assert choose(elsewhere, "Otra-Laguna-8812").url.startswith(url("login"))
        assert here.page("index").status_code == 200
        assert User.objects.get(username="dora").check_password(OWN)

    def test_forged_form_is_refused(self, given: str) -> None:
        browser = Client(enforce_csrf_checks=True)
        browser.force_login(User.objects.get(username="dora"))
        form = {"new_password1": OWN, "new_password2": OWN}
        assert browser.post(url("first_password"), form).status_code == 403

    def test_page_is_not_for_who_has_a_password_of_their_own(self, console: Console) -> None:
        assert console.page("first_password").url == url("index")
        assert choose(console).url == url("index")
        assert User.objects.get(username="ana").check_password(PASSWORD)
        assert Client().get(url("first_password")).url == url("login")

    def test_unused_first_password_expires(self, given: str, settings: Any) -> None:
        settings.LANGUAGE_CODE = "en"
        last = timedelta(days=settings.CONSOLE_FIRST_PASSWORD_DAYS)
        with time_machine.travel(clock.now() + last - timedelta(minutes=5), tick=False) as time:
            browser = entered("dora", given)
            time.shift(timedelta(minutes=6))
            assert choose(browser).url == url("login")
            assert browser.page("index").url.startswith(url("login"))
            refused = log_in(Client(), "dora", given)
            assert refused.status_code == 200
            assert "has expired" in refused.content.decode()
            assert "has expired" not in log_in(Client(), "dora", "wrong").content.decode()
        assert not User.objects.get(username="dora").check_password(OWN)

    def test_one_that_was_replaced_in_between_chooses_nothing(
        self, console: Console, given: str
    ) -> None:
        """Ana gives another one while the person is on the page with the first."""
        dora = User.objects.get(username="dora")
        stale = User.objects.get(pk=dora.pk)
        first_password.give(user=dora, actor="ana")
        with pytest.raises(first_password.NotPending):
            first_password.choose(user=stale, password=OWN, address="")
        assert FirstPassword.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_first_logins_at_once_one_chooses_the_password(ana: User) -> None:
    roles.write_all()
    dora = User.objects.create_user("dora", is_staff=True)
    given = first_password.give(user=dora, actor="ana")
    browsers = [entered("dora", given) for _ in range(2)]
    barrier = Barrier(2)

    def race(number: int) -> str:
        barrier.wait()
        try:
            return str(choose(browsers[number], f"{OWN}-{number}").url)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        ways = list(pool.map(race, range(2)))
    winner = ways.index(url("index"))
    assert ways[1 - winner].startswith(url("login"))
    assert User.objects.get(username="dora").check_password(f"{OWN}-{winner}")
    assert AuditEntry.objects.filter(action=first_password.CHOSEN).count() == 1
    assert browsers[winner].page("access").status_code == 200
    assert browsers[1 - winner].page("access").url.startswith(url("login"))


@pytest.mark.django_db
class TestWhoGivesIt:
    def test_colleague_gives_another_one_and_all_sessions_end(self, console: Console) -> None:
        luz = person("luz", roles.APPROVER, password=OWN)
        user = User.objects.get(username="luz")
        page = console.page("auth_user_change", user.pk).content.decode()
        assert url("auth_user_give_password", user.pk) in page
        shown = console.submit("auth_user_give_password", user.pk)
        given = list(shown.context["values"].values())[1]
        assert luz.page("index").url.startswith(url("login"))
        assert log_in(Client(), "luz", OWN).status_code == 200
        row = acted(first_password.GIVEN)
        assert (row.actor, row.subject_id, row.reason) == ("ana", str(user.pk), REASON)
        browser = entered("luz", given)
        assert browser.page("index").url.startswith(url("first_password"))
        assert given not in console.page("auth_user_change", user.pk).content.decode()

    def test_reload_gives_no_second_one(self, console: Console) -> None:
        person("luz", roles.APPROVER)
        user = User.objects.get(username="luz")
        shown = console.page("auth_user_give_password", user.pk)
        form = {"form_token": shown.context["form_token"], "reason": REASON}
        address = url("auth_user_give_password", user.pk)
        assert console.post(address, form).status_code == 200
        assert console.post(address, form).status_code == 400
        assert AuditEntry.objects.filter(action=first_password.GIVEN).count() == 1

    def test_no_person_gives_it_to_themselves(self, console: Console, ana: User) -> None:
        page = console.page("auth_user_change", ana.pk).content.decode()
        assert url("auth_user_give_password", ana.pk) not in page
        assert console.submit("auth_user_give_password", ana.pk).status_code == 400
        ana.refresh_from_db()
        assert ana.check_password(PASSWORD)

    def test_people_of_merchants_choose_theirs_too(
        self, console: Console, merchant: Merchant
    ) -> None:
        form = {"username": "lucia", "email": "l@cafe.example", "role": roles.MERCHANT_STAFF}
        shown = console.submit("merchants_merchant_create_person", merchant.pk, **form)
        browser = entered("lucia", list(shown.context["values"].values())[1])
        assert browser.page("collect_order_changelist").url.startswith(url("first_password"))
        assert choose(browser).status_code == 302
        assert browser.page("collect_order_changelist").status_code == 200
        assert acted(first_password.CHOSEN).details["given_by"] == "ana"

    def test_operator_of_the_shell_is_not_asked(self, db: None, monkeypatch: Any) -> None:
        monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", OWN)
        call_command("createsuperuser", "--noinput", username="root", email="r@example.com")
        assert entered("root", OWN).page("access").status_code == 200


@pytest.mark.django_db
class TestWithASecondFactor:
    def test_new_person_chooses_before_a_device_is_set_up(self, given: str, settings: Any) -> None:
        settings.CONSOLE_SECOND_FACTOR = True
        browser = entered("dora", given)
        assert browser.page("index").url.startswith(url("first_password"))
        assert browser.page("device").status_code == 302
        assert not TOTPDevice.objects.exists()
        assert choose(browser).status_code == 302
        assert browser.page("index").url.startswith(url("device"))
        shown = browser.page("device")
        assert shown.status_code == 200
        key = TOTPDevice.objects.get().bin_key
        assert browser.post(url("device"), {"code": code(key)}).status_code == 200
        assert browser.page("index").status_code == 200

    def test_without_the_device_the_given_password_changes_nothing(
        self, given: str, console: Console
    ) -> None:
        dora = User.objects.get(username="dora")
        key = TOTPDevice.objects.create(user=dora, name="app", confirmed=True).bin_key
        browser = entered("dora", given)
        assert browser.page("index").url.startswith(url("code"))
        assert choose(browser).status_code == 302
        dora.refresh_from_db()
        assert dora.check_password(given)
        assert browser.post(url("code"), {"code": code(key)}).status_code == 302
        assert browser.page("index").url.startswith(url("first_password"))
        assert choose(browser).status_code == 302
        assert browser.page("index").status_code == 200


# The second pair of eyes.


@pytest.fixture
def ruled(api: ApiClient, merchant: Merchant, console: Console, settings: Any) -> Payout:
    """Ana sets the rule; a payout waits under it."""
    settings.DOORBELL = False
    settings.LANGUAGE_CODE = "en"
    credit(merchant)
    rule = {"payout_approval_above": 0, "payout_approval_set_by": "ana"}
    Merchant.objects.filter(pk=merchant.pk).update(**rule)
    return send(api)


@pytest.mark.django_db
class TestFourEyes:
    def test_approver_account_just_made_by_who_set_the_rule_cannot_approve(
        self, console: Console, ruled: Payout
    ) -> None:
        given = new_operator(console, "dos", roles.APPROVER)
        puppet = entered("dos", given)
        address = url("payout_payout_approve", ruled.pk)
        form = {"form_token": "x", "reason": REASON}
        assert puppet.get(address).url.startswith(url("first_password"))
        assert puppet.post(address, form).url.startswith(url("first_password"))
        ruled.refresh_from_db()
        assert ruled.needs_approval

    def test_not_even_past_the_console(self, console: Console, ruled: Payout) -> None:
        from payments.core.errors import NotAllowed
        from payments.payout.services import approvals

        new_operator(console, "dos", roles.APPROVER)
        with pytest.raises(NotAllowed):
            approvals.approve(payout=ruled, actor="dos", reason=REASON, now=clock.now())

    def test_after_the_change_the_payout_tells_whose_account_approved_it(
        self, console: Console, ruled: Payout
    ) -> None:
        made = clock.now()
        with time_machine.travel(made, tick=False) as time:
            given = new_operator(console, "dos", roles.APPROVER)
            puppet = entered("dos", given)
            choose(puppet)
            time.shift(timedelta(minutes=5))
            assert puppet.submit("payout_payout_approve", ruled.pk).status_code == 302
        assert acted(first_password.CHOSEN).details["address"] == "127.0.0.1"
        page = console.page("payout_payout_change", ruled.pk)
        (warning,) = page.context["record_warnings"]
        for part in ("ana", "dos", "5\xa0minutes", "127.0.0.1"):
            assert part in warning, part
        assert warning.partition(",")[0] in page.content.decode()

    def test_account_that_another_made_carries_no_warning(
        self, console: Console, ruled: Payout
    ) -> None:
        luz = person("luz", roles.APPROVER)
        assert luz.submit("payout_payout_approve", ruled.pk).status_code == 302
        assert console.page("payout_payout_change", ruled.pk).context["record_warnings"] == []
