"""A role lets its person in, and the last one that is taken lets them out at once."""

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission, User
from django.contrib.sessions.models import Session

from merchants import members
from merchants.models import Merchant
from payments.console import roles
from payments.console.roles import (
    ADMINISTRATOR,
    APPROVER,
    FINANCE,
    OF_OPERATORS,
    SUPPORT,
    VIEWER,
)
from payments.core.models import AuditEntry
from tests.admin.conftest import Console, person, url
from tests.admin.test_first_password import choose, entered, new_operator
from tests.support.console_login import log_in
from tests.support.merchant_staff import PASSWORD, person_of

pytestmark = pytest.mark.django_db


def change(browser: Console, user: User, *names: str, **more: Any) -> Any:
    """The operator's form with these roles."""
    chosen = [group.pk for group in Group.objects.filter(name__in=names)]
    form = {"email": "x@pasarela.example", "is_active": "on", "groups": chosen, **more}
    form = {name: value for name, value in form.items() if value is not None}
    return browser.post(url("auth_user_change", user.pk), form)


def is_in(browser: Console) -> bool:
    return bool(browser.page("index").status_code == 200)


@pytest.mark.parametrize("role", sorted(roles.OF_OPERATORS))
def test_operator_with_a_role_logs_in_and_nothing_else_has_to_be_ticked(
    console: Console, role: str
) -> None:
    given = new_operator(console, "dora", role)
    browser = entered("dora", given)
    choose(browser)
    assert is_in(browser)
    assert User.objects.get(username="dora").is_staff


def test_account_without_a_role_is_refused(console: Console) -> None:
    refused = console.post(url("auth_user_add"), {"username": "dora"})
    assert list(refused.context["adminform"].form.errors) == ["groups"]
    assert not User.objects.filter(username="dora").exists()


def test_superuser_is_made_without_a_role_by_superusers_only(console: Console) -> None:
    form = {"username": "dora", "is_superuser": "on"}
    assert console.post(url("auth_user_add"), form).status_code == 200
    assert User.objects.get(username="dora").is_staff
    chief = person("inés", ADMINISTRATOR)
    refused = chief.post(url("auth_user_add"), {**form, "username": "eva"})
    assert list(refused.context["adminform"].form.errors) == ["groups"]
    with_role = {**form, "username": "eva", "groups": [Group.objects.get(name=VIEWER).pk]}
    assert chief.post(url("auth_user_add"), with_role).status_code == 200
    assert not User.objects.get(username="eva").is_superuser


@pytest.mark.parametrize("role", [APPROVER, FINANCE, roles.SUPPORT, roles.MERCHANT_STAFF])
def test_administrator_makes_no_account_that_holds_more(db: None, role: str) -> None:
    chief = person("inés", ADMINISTRATOR)
    form = {"username": "eva", "groups": [Group.objects.get(name=role).pk]}
    refused = chief.post(url("auth_user_add"), form)
    assert list(refused.context["adminform"].form.errors) == ["groups"]
    assert not User.objects.filter(username="eva").exists()


@pytest.mark.parametrize("gets", ["role", "superuser"])
def test_password_that_an_administrator_knows_does_not_come_to_hold_more(
    console: Console, gets: str
) -> None:
    chief = person("inés", ADMINISTRATOR)
    new_operator(chief, "dora", VIEWER)
    dora = User.objects.get(username="dora")
    names, more = {
        "role": ([FINANCE], {}),
        "superuser": ([VIEWER], {"is_superuser": "on"}),
    }[gets]
    refused = change(console, dora, *names, **more)
    assert "inés" in str(refused.context["adminform"].form.errors["groups"])
    dora.refresh_from_db()
    assert not dora.is_superuser
    assert not dora.user_permissions.exists()
    assert change(console, dora, ADMINISTRATOR).status_code == 302  # which she gives herself

    page = console.submit("auth_user_give_password", str(dora.pk))
    assert change(console, dora, *names, **more).status_code == 302
    browser = entered("dora", list(page.context["values"].values())[1])
    choose(browser)
    assert is_in(browser)
    assert chief.submit("auth_user_give_password", str(dora.pk)).status_code in (403, 404)


def test_roles_that_are_apart_are_refused_at_creation(console: Console) -> None:
    both = Group.objects.filter(name__in=[ADMINISTRATOR, APPROVER])
    form = {"username": "eva", "groups": [group.pk for group in both]}
    refused = console.post(url("auth_user_add"), form)
    assert list(refused.context["adminform"].form.errors) == ["groups"]
    assert not User.objects.filter(username="eva").exists()


def test_last_role_that_is_taken_lets_its_person_out_at_once(console: Console) -> None:
    luz = person("luz", APPROVER, VIEWER, password=PASSWORD)
    user = User.objects.get(username="luz")
    assert change(console, user, VIEWER).status_code == 302
    assert is_in(luz)
    assert change(console, user).status_code == 302
    assert not is_in(luz)
    user.refresh_from_db()
    assert not user.is_staff
    assert not [
        s for s in Session.objects.all() if s.get_decoded()["_auth_user_id"] == str(user.pk)
    ]
    entry = AuditEntry.objects.filter(action="operator.roles_changed").latest("id")
    assert entry.details == {"given": [], "taken": [VIEWER]}
    # Given again, it opens no session of before.
    assert change(console, user, VIEWER).status_code == 302
    assert not is_in(luz)
    assert log_in(Console(), "luz", PASSWORD).status_code == 302


def test_reason_of_a_change_of_access_is_kept_in_the_audit_log(console: Console) -> None:
    person("luz", VIEWER, password=PASSWORD)
    user = User.objects.get(username="luz")
    assert change(console, user, APPROVER, reason="Replaces eva").status_code == 302
    roles_changed = AuditEntry.objects.get(action="operator.roles_changed")
    assert (roles_changed.reason, roles_changed.subject_id) == ("Replaces eva", str(user.pk))
    assert change(console, user, APPROVER, is_active=None, reason="Left").status_code == 302
    assert AuditEntry.objects.get(action="operator.deactivated").reason == "Left"
    assert change(console, user, APPROVER, reason="Came back").status_code == 302
    assert AuditEntry.objects.get(action="operator.activated").reason == "Came back"


def test_roles_are_offered_from_the_one_that_can_do_least(console: Console) -> None:
    person("luz", VIEWER, password=PASSWORD)
    page = console.page("auth_user_change", User.objects.get(username="luz").pk)
    offered = [group.name for group in page.context["adminform"].form.fields["groups"].queryset]
    assert [name for name in offered if name in OF_OPERATORS] == [
        *(VIEWER, SUPPORT, FINANCE, APPROVER, ADMINISTRATOR)
    ]


WAYS = {
    "of the person": lambda user, group: user.groups.clear(),
    "one": lambda user, group: user.groups.remove(group),
    "none left": lambda user, group: user.groups.set([]),
    "from the role": lambda user, group: group.user_set.remove(user),
    "all of the role": lambda user, group: group.user_set.clear(),
}


@pytest.mark.parametrize("way", WAYS)
def test_person_loses_access_however_the_role_is_taken(db: None, way: str) -> None:
    luz = person("luz", APPROVER)
    WAYS[way](User.objects.get(username="luz"), Group.objects.get(name=APPROVER))
    assert not is_in(luz)
    assert not User.objects.get(username="luz").is_staff


def test_right_of_ones_own_opens_the_console_too(db: None) -> None:
    dora = User.objects.create_user("dora", password=PASSWORD)
    right = Permission.objects.get(codename="view_order")
    dora.user_permissions.add(right)
    browser = entered("dora", PASSWORD)
    assert is_in(browser)
    dora.user_permissions.clear()
    assert not is_in(browser)


def test_superuser_stays_without_a_role(console: Console, ana: User) -> None:
    ana.groups.add(Group.objects.get(name=VIEWER))
    ana.groups.clear()
    assert is_in(console)


def test_deactivated_person_has_no_session_when_active_again(console: Console) -> None:
    luz = person("luz", APPROVER)
    user = User.objects.get(username="luz")
    assert change(console, user, APPROVER, is_active=None).status_code == 302
    assert not is_in(luz)
    assert change(console, user, APPROVER).status_code == 302
    assert not is_in(luz)


def test_person_of_a_merchant_is_let_in_and_out_with_the_membership(merchant: Merchant) -> None:
    lucia = person_of(merchant, "lucia")
    browser = entered("lucia", PASSWORD)
    members.remove_member(membership=lucia.membership_set.get(), actor="ana", reason="left")
    assert not is_in(browser)
    members.add_member(
        merchant=merchant, username="lucia", role=roles.MERCHANT_STAFF, actor="ana", reason="back"
    )
    assert not is_in(browser)
    assert is_in(entered("lucia", PASSWORD))


def test_boxes_of_rights_are_for_superusers_and_staff_has_no_box(
    console: Console,
) -> None:
    dora = User.objects.create_user("dora", is_staff=True)
    dora.groups.add(Group.objects.get(name=VIEWER))
    chief = person("inés", ADMINISTRATOR)
    for browser, sees in ((console, True), (chief, False)):
        for page in (browser.page("auth_user_change", dora.pk), browser.page("auth_user_add")):
            html = page.content.decode()
            assert 'name="groups"' in html
            for box in ("is_staff", "password", "password1", "usable_password"):
                assert f'name="{box}"' not in html, box
            for word in ("LDAP", "SSO", "md5$", "pbkdf2"):
                assert word not in html, word
            assert ('name="is_superuser"' in html) is sees
    assert 'name="user_permissions"' not in console.page("auth_user_add").content.decode()
    assert (
        'name="user_permissions"' not in console.page("auth_user_change", dora.pk).content.decode()
    )
    assert 'name="user_permissions"' not in chief.page("auth_user_change", dora.pk).content.decode()
    raised = {"is_staff": "on", "is_superuser": "on", "user_permissions": ["1"]}
    assert change(chief, dora, VIEWER, **raised).status_code == 302
    dora.refresh_from_db()
    assert (dora.is_superuser, dora.user_permissions.exists()) == (False, False)
    assert change(chief, dora, is_staff="on").status_code == 302
    dora.refresh_from_db()
    assert not dora.is_staff


def test_who_could_not_log_in_before_the_migration_cannot_after_it(merchant: Merchant) -> None:
    """A role without the box *staff* opened nothing, by mistake or on purpose."""
    person("luz", APPROVER)
    stuck = User.objects.create_user("dora")
    stuck.groups.add(Group.objects.get(name=VIEWER))
    lucia = person_of(merchant, "lucia")
    User.objects.filter(username__in=["dora", "lucia"]).update(is_staff=False)
    User.objects.create_user("unknown")
    migration = import_module("payments.core.migrations.0007_first_password")
    migration.deactivate(apps, None)
    active = set(User.objects.filter(is_active=True).values_list("username", flat=True))
    assert active == {"luz", lucia.username, "unknown"}


def test_single_permissions_are_shown_only_to_be_taken(console: Console) -> None:
    dora = User.objects.create_user("dora", is_staff=True)
    dora.groups.add(Group.objects.get(name=VIEWER))
    right = Permission.objects.get(codename="approve_payout")
    change(console, dora, VIEWER, user_permissions=[right.pk])
    assert not dora.user_permissions.exists()
    dora.user_permissions.add(right)
    assert 'name="user_permissions"' in console.page("auth_user_change", dora.pk).content.decode()
    assert change(console, dora, VIEWER).status_code == 302
    assert not dora.user_permissions.exists()


def test_reason_beside_a_new_name_is_kept_and_the_history_shows_it(console: Console) -> None:
    beto = User.objects.create_user("beto", email="b@pasarela.example", is_staff=True)
    reason = "Married, and changed the name"
    answer = console.submit("auth_user_change", beto.pk, name="Beto Ruiz", reason=reason)
    assert answer.status_code == 302
    entry = AuditEntry.objects.get(action="user.changed", subject_id=str(beto.pk))
    assert (entry.actor, entry.reason) == ("ana", reason)
    assert len(entry.details["changes"]) == 1
    assert "reason" not in str(entry.details["changes"]).lower()
    page = console.page("auth_user_change", beto.pk).content.decode()
    assert reason in page
    assert "desk-timeline" in page
