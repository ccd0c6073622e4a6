"""Actions on keys, secrets, money and rights want the password again; who gives rights to whom."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from axes.models import AccessAttempt
from django.contrib.auth.models import Group, User
from django_otp.plugins.otp_totp.models import TOTPDevice

from merchants.models import ApiKey, Membership, Merchant
from payments.console import roles, second_factor
from payments.console.roles import ADMINISTRATOR, APPROVER, FINANCE, SUPPORT, VIEWER
from payments.core import clock
from payments.core.models import AuditEntry
from payments.payout.models import Payout
from tests.admin.conftest import REASON, Console, person, url

pytestmark = pytest.mark.django_db
PASSWORD = "Volcán-Galeras-4276"
LATER = timedelta(minutes=16)


def fields(answer: Any) -> dict[str, str]:
    """What the page that asks carries along."""
    html = answer.content.decode()
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', html))


@pytest.fixture
def later() -> Any:
    """A quarter of an hour after the login."""
    with time_machine.travel(clock.now() + LATER, tick=False) as time:
        yield time


@pytest.fixture
def key(console: Console, merchant: Merchant) -> ApiKey:
    """A key that an operator wants to revoke. Ana logs in before it is later."""
    from tests.support.factories import issue_key

    return issue_key(merchant)[0]


def test_old_login_needs_the_password_before_a_key_is_revoked(
    console: Console, key: ApiKey, later: Any
) -> None:
    assert console.page("merchants_apikey_revoke", key.pk).status_code == 200
    asked = console.submit("merchants_apikey_revoke", key.pk)
    assert asked.status_code == 200
    assert "confirm_password" in asked.content.decode()
    key.refresh_from_db()
    assert key.revoked_at is None
    carried = fields(asked)
    assert carried["reason"] == REASON
    address = url("merchants_apikey_revoke", key.pk)
    wrong = console.post(address, {**carried, "confirm_password": "wrong"})
    assert wrong.status_code == 400
    key.refresh_from_db()
    assert key.revoked_at is None
    done = console.post(address, {**fields(wrong), "confirm_password": PASSWORD})
    assert done.status_code == 302
    key.refresh_from_db()
    assert key.revoked_at is not None
    entry = AuditEntry.objects.get(action="api_key.revoked")
    assert entry.reason == REASON
    assert PASSWORD not in str(list(AuditEntry.objects.values()))


def test_password_is_not_requested_twice_within_15_minutes(
    console: Console, merchant: Merchant, later: Any
) -> None:
    asked = console.submit("merchants_merchant_regenerate_secret", merchant.pk)
    address = url("merchants_merchant_regenerate_secret", merchant.pk)
    shown = console.post(address, {**fields(asked), "confirm_password": PASSWORD})
    assert "once" in str(shown.templates[0].name)
    second = console.submit("merchants_merchant_regenerate_secret", merchant.pk)
    assert "once" in str(second.templates[0].name)


def test_person_with_a_device_gives_a_code_too(
    console: Console, ana: User, key: ApiKey, later: Any
) -> None:
    TOTPDevice.objects.create(user=ana, name="app", confirmed=True)
    codes = second_factor.new_backup_codes(ana.pk)
    console.post(url("code"), {"code": codes[0]})
    later.shift(LATER)
    asked = console.submit("merchants_apikey_revoke", key.pk)
    address = url("merchants_apikey_revoke", key.pk)
    given = {**fields(asked), "confirm_password": PASSWORD}
    for code in ("", "wrong", codes[0]):
        assert console.post(address, {**given, "confirm_code": code}).status_code == 400
    second_factor.end_waits(ana)
    assert console.post(address, {**given, "confirm_code": codes[1]}).status_code == 302
    key.refresh_from_db()
    assert key.revoked_at is not None


def test_guessing_ends_the_session(console: Console, key: ApiKey, later: Any) -> None:
    asked = fields(console.submit("merchants_apikey_revoke", key.pk))
    address = url("merchants_apikey_revoke", key.pk)
    guess = {**asked, "confirm_password": "Volcán-Galeras-4277"}
    guesses = [console.post(address, guess) for _ in range(5)]
    assert [guess.status_code for guess in guesses] == [400] * 4 + [429]
    assert console.page("index").url.startswith(url("login"))
    key.refresh_from_db()
    assert key.revoked_at is None
    # A password with one wrong letter is nearly the right one: what was typed is kept nowhere.
    kept = str(list(AccessAttempt.objects.values()))
    assert "ana" in kept
    assert "4277" not in kept
    assert REASON not in kept


def test_what_is_no_money_is_not_asked_for(console: Console, order: Any, later: Any) -> None:
    assert console.submit("collect_order_cancel_order", order.pk).status_code == 302


def test_a_form_comes_back_with_the_password(
    console: Console, merchant: Merchant, later: Any
) -> None:
    address = url("merchants_merchant_change", merchant.pk)
    assert console.get(address).status_code == 200
    sent = {"name": "Café <Andino>", "email": "a@b.example", "reason": REASON}
    sent |= {"currencies": ["COP", "USDT"], "methods": ["PSE"]}
    for rows in ("api_keys", "memberships"):
        sent |= {f"{rows}-TOTAL_FORMS": "0", f"{rows}-INITIAL_FORMS": "0"}
    asked = console.post(address, sent)
    merchant.refresh_from_db()
    assert merchant.name == "Café Andino"
    html = asked.content.decode()
    assert 'name="name" value="Café &lt;Andino&gt;"' in html
    assert html.count('name="currencies"') == 2
    console.post(address, {**sent, "confirm_password": PASSWORD})
    merchant.refresh_from_db()
    assert merchant.name == "Café <Andino>"
    assert merchant.methods == ["PSE"]


def test_new_operator_is_made_once_the_password_was_given(console: Console, later: Any) -> None:
    group = Group.objects.get(name=VIEWER).pk
    form = {"username": "eva", "groups": [group]}
    asked = console.post(url("auth_user_add"), form)
    assert not User.objects.filter(username="eva").exists()
    shown = console.post(url("auth_user_add"), {**fields(asked), "confirm_password": PASSWORD})
    assert "once" in str(shown.templates[0].name)
    assert held(User.objects.get(username="eva")) == {VIEWER}


def test_approving_money_wants_it_too(waiting: Payout) -> None:
    approver = person("luz", APPROVER)
    with time_machine.travel(clock.now() + LATER, tick=False):
        asked = approver.submit("payout_payout_approve", waiting.pk)
        assert "confirm_password" in asked.content.decode()
    waiting.refresh_from_db()
    assert waiting.needs_approval


# Who gives what to whom.


def roles_form(user: User, *names: str, **more: Any) -> dict[str, Any]:
    chosen = [group.pk for group in Group.objects.filter(name__in=names)]
    form = {"email": "x@pasarela.example", "is_active": "on", "groups": chosen}
    return {**form, **more}


def held(user: User) -> set[str]:
    return set(user.groups.values_list("name", flat=True))


def change(browser: Console, user: User, *names: str, **more: Any) -> int:
    address = url("auth_user_change", user.pk)
    return browser.post(address, roles_form(user, *names, **more)).status_code


@pytest.fixture
def chief(db: None) -> Console:
    """An administrator who is no superuser."""
    return person("inés", ADMINISTRATOR)


def test_an_administrator_gives_roles_that_neither_move_money_nor_reveal(chief: Console) -> None:
    dora = User.objects.create_user("dora", is_staff=True)
    assert change(chief, dora, ADMINISTRATOR, VIEWER) == 302
    assert held(dora) == {ADMINISTRATOR, VIEWER}
    entry = AuditEntry.objects.get(action="operator.roles_changed")
    assert entry.details == {"given": [ADMINISTRATOR, VIEWER], "taken": []}
    assert entry.actor == "inés"
    for role in (SUPPORT, FINANCE, APPROVER, roles.MERCHANT_STAFF):
        assert change(chief, dora, role) == 200
        assert held(dora) == {ADMINISTRATOR, VIEWER}


def test_no_role_of_operators_that_an_administrator_gives_reveals() -> None:
    for role in roles.GIVEN_BY_ADMINISTRATORS - roles.OF_MERCHANTS:
        assert roles.REVEAL not in roles.ROLES[role], role


def test_no_person_gives_themselves_more_rights(chief: Console, ana: User) -> None:
    own = User.objects.get(username="inés")
    change(chief, own, VIEWER, is_superuser="on", user_permissions=["1"])
    own.refresh_from_db()
    assert (held(own), own.is_superuser) == ({ADMINISTRATOR}, False)
    assert not own.user_permissions.exists()
    other = User.objects.create_user("dora", is_staff=True)
    change(chief, other, VIEWER, is_superuser="on", user_permissions=["1"])
    other.refresh_from_db()
    assert not other.is_superuser
    assert not other.user_permissions.exists()


def test_an_administrator_cannot_become_a_person_with_more_rights(
    chief: Console, ana: User
) -> None:
    luz = User.objects.create_user("luz", password=PASSWORD, is_staff=True)
    luz.groups.add(Group.objects.get(name=APPROVER))
    TOTPDevice.objects.create(user=luz, name="app", confirmed=True)
    helper = User.objects.create_user("eva", password=PASSWORD, is_staff=True)
    helper.groups.add(Group.objects.get(name=SUPPORT))  # reveals what is masked to the chief
    for user, status in ((luz, 403), (ana, 404), (helper, 403)):
        for page in ("auth_user_password_change", "auth_user_give_password"):
            assert chief.page(page, user.pk).status_code == status
            assert chief.submit(page, user.pk).status_code == status
    assert chief.submit("auth_user_reset_second_factor", luz.pk).status_code == 403
    assert chief.submit("auth_user_reset_second_factor", ana.pk).status_code == 404
    change(chief, luz, SUPPORT)
    luz.refresh_from_db()
    assert held(luz) == {APPROVER}
    assert luz.check_password(PASSWORD)
    assert second_factor.has_device(luz)
    # To deactivate an account never gives more rights: it is done at once, for every account.
    form = roles_form(luz)
    del form["is_active"]
    assert chief.post(url("auth_user_change", luz.pk), form).status_code == 302
    luz.refresh_from_db()
    assert not luz.is_active


def test_a_superuser_gives_every_role_but_those_of_merchants(console: Console) -> None:
    dora = User.objects.create_user("dora", is_staff=True)
    assert change(console, dora, FINANCE) == 302
    assert held(dora) == {FINANCE}
    assert change(console, dora, roles.MERCHANT_ADMINISTRATOR) == 200
    assert held(dora) == {FINANCE}


def test_people_of_merchants_never_become_operators(console: Console, merchant: Merchant) -> None:
    dora = User.objects.create_user("dora", is_staff=True)
    dora.groups.add(Group.objects.get(name=roles.MERCHANT_STAFF))
    Membership.objects.create(user=dora, merchant=merchant)
    page = console.page("auth_user_change", dora.pk).content.decode()
    assert 'name="groups"' not in page
    change(console, dora, FINANCE, is_superuser="on")
    dora.refresh_from_db()
    assert held(dora) == {roles.MERCHANT_STAFF}
    assert not dora.is_superuser


def test_roles_of_the_code_cannot_be_changed(console: Console, chief: Console) -> None:
    viewer = Group.objects.get(name=VIEWER)
    for browser in (console, chief):
        answer = browser.post(url("auth_group_change", viewer.pk), {"name": "Boss"})
        assert answer.status_code == 403
        assert browser.post(url("auth_group_add"), {"name": "Own"}).status_code == 403
        assert browser.get(url("auth_group_add")).status_code == 403
    assert not Group.objects.filter(name="Own").exists()


def test_the_approver_approves_what_another_asked_for(waiting: Payout) -> None:
    approver = person("luz", APPROVER)
    assert approver.submit("payout_payout_approve", waiting.pk).status_code == 302
    waiting.refresh_from_db()
    assert not waiting.needs_approval


def test_author_of_the_rule_does_not_approve_in_any_role(waiting: Payout) -> None:
    both = person("beto", FINANCE, APPROVER)  # beto set the rule of the merchant
    assert both.submit("payout_payout_approve", waiting.pk).status_code == 400
    waiting.refresh_from_db()
    assert waiting.needs_approval


def test_many_rows_at_once_are_refused_politely(console: Console, merchant: Merchant) -> None:
    chosen = [f"del_{number:026d}" for number in range(10_000)]
    answer = console.post(
        url("webhooks_delivery_changelist"),
        {"action": "resend_selected", "select_across": "1", "_selected_action": chosen},
        follow=True,
    )
    assert answer.status_code == 413
    assert not AuditEntry.objects.filter(action__startswith="event").exists()
