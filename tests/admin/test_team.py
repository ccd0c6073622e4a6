"""The team of a merchant: its administrators change roles, remove people, and issue keys.

What approves or lets money out waits for a second person.
"""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Group, User
from django.core.cache import cache

from merchants import members
from merchants.models import ApiKey, Membership, Merchant
from merchants.team.models import AccessRequest
from payments.console import roles
from payments.console.roles import (
    MERCHANT_ADMINISTRATOR,
    MERCHANT_APPROVER,
    MERCHANT_PREPARER,
    MERCHANT_STAFF,
)
from payments.core import clock
from payments.core.models import AuditEntry
from tests.admin.conftest import Console, person
from tests.support.factories import order_body, payout_body
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of, said

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    cache.clear()


@pytest.fixture
def gabriel(merchant: Merchant) -> User:
    """Café Andino's administrator."""
    return person_of(merchant, "gabriel", MERCHANT_ADMINISTRATOR)


@pytest.fixture
def boss(gabriel: User) -> Console:
    return browser_of(gabriel)


@pytest.fixture
def lucia(merchant: Merchant) -> User:
    """A colleague."""
    return person_of(merchant, "lucia", MERCHANT_PREPARER)


@pytest.fixture
def second(merchant: Merchant) -> Console:
    """Café Andino's approver, whom an operator made one."""
    return browser_of(person_of(merchant, "rosa", MERCHANT_APPROVER, actor="dora"))


def membership(user: User) -> int:
    return int(Membership.objects.get(user=user).pk)


def give(browser: Console, user: User, *names: str) -> Any:
    return browser.submit("merchants_membership_change_roles", membership(user), roles=list(names))


def test_administrator_sees_the_team(boss: Console, lucia: User, stranger: Merchant) -> None:
    person_of(stranger, "zoraida")
    page = boss.page("merchants_membership_changelist").content.decode()
    assert "lucia" in page
    assert said("Merchant payments") in page
    assert "zoraida" not in page


@pytest.mark.parametrize("role", [MERCHANT_STAFF, MERCHANT_PREPARER, MERCHANT_APPROVER])
def test_team_is_for_administrators(merchant: Merchant, lucia: User, role: str) -> None:
    browser = browser_of(person_of(merchant, "tere", role))
    assert browser.page("merchants_membership_changelist").status_code == 403
    assert give(browser, lucia, MERCHANT_STAFF).status_code == 403
    answer = browser.submit("merchants_membership_remove", membership(lucia))
    assert answer.status_code == 403
    assert browser.submit("merchants_merchant_new_key", merchant.pk).status_code == 403


def test_administrator_changes_roles_at_once(boss: Console, lucia: User) -> None:
    assert give(boss, lucia, MERCHANT_STAFF, MERCHANT_ADMINISTRATOR).status_code == 302
    assert members.roles_of(lucia) == {MERCHANT_STAFF, MERCHANT_ADMINISTRATOR}
    told = AuditEntry.objects.get(action="member.roles_changed")
    assert told.details["taken"] == [MERCHANT_PREPARER]
    assert (told.actor, told.details["user"]) == ("gabriel", "lucia")


def test_a_role_that_is_taken_ends_the_sessions(boss: Console, lucia: User) -> None:
    browser = browser_of(lucia)
    assert browser.page("index").status_code == 200
    give(boss, lucia, MERCHANT_STAFF)
    assert browser.page("index").status_code == 302


def test_a_person_never_changes_their_own_roles(boss: Console, gabriel: User) -> None:
    answer = give(boss, gabriel, MERCHANT_ADMINISTRATOR, MERCHANT_APPROVER)
    assert answer.status_code == 400
    assert members.roles_of(gabriel) == {MERCHANT_ADMINISTRATOR}
    assert not AccessRequest.objects.exists()


def test_removed_person_is_out_at_once(boss: Console, lucia: User) -> None:
    browser = browser_of(lucia)
    assert boss.submit("merchants_membership_remove", membership(lucia)).status_code == 302
    assert browser.page("index").status_code == 302
    assert not Membership.objects.filter(user=lucia).exists()
    assert AuditEntry.objects.get(action="member.removed").actor == "gabriel"


def test_the_last_administrator_does_not_leave(
    boss: Console, gabriel: User, lucia: User, merchant: Merchant
) -> None:
    refused = boss.submit("merchants_membership_remove", membership(gabriel))
    assert refused.status_code == 400
    give(boss, lucia, MERCHANT_ADMINISTRATOR)
    left = boss.submit("merchants_membership_remove", membership(gabriel))
    assert left.status_code == 302
    assert members.administrators_of(merchant) == {lucia.pk}
    assert boss.page("index").headers["Location"].startswith("/admin/login/")


def test_people_of_other_merchants_are_as_if_absent(boss: Console, stranger: Merchant) -> None:
    zoraida = person_of(stranger, "zoraida")
    for act in ("change", "change_roles", "remove"):
        answer = boss.page(f"merchants_membership_{act}", membership(zoraida))
        assert answer.status_code in (302, 404), act
    assert give(boss, zoraida, MERCHANT_STAFF).status_code in (302, 404)
    assert Membership.objects.filter(user=zoraida).exists()


def test_roles_of_a_person_who_works_elsewhere_too_are_for_superusers(
    boss: Console, console: Console, lucia: User, stranger: Merchant
) -> None:
    """They would count at the other merchant as well."""
    members.add_member(
        merchant=stranger, username="lucia", role=MERCHANT_PREPARER, actor="ana", reason="Two"
    )
    here = Membership.objects.filter(user=lucia).earliest("pk").pk
    form = {"roles": [MERCHANT_ADMINISTRATOR]}
    answer = boss.submit("merchants_membership_change_roles", here, **form)
    assert answer.status_code == 400
    assert members.roles_of(lucia) == {MERCHANT_PREPARER}
    answer = console.submit("merchants_membership_change_roles", here, **form)
    assert answer.status_code == 302
    assert members.roles_of(lucia) == {MERCHANT_ADMINISTRATOR}


# The role of approver.


@pytest.fixture
def waiting(boss: Console, lucia: User) -> AccessRequest:
    """Gabriel wants Lucía to approve."""
    assert give(boss, lucia, MERCHANT_PREPARER, MERCHANT_APPROVER).status_code == 302
    return AccessRequest.objects.get()


def decide(browser: Console, act: str, request: AccessRequest) -> Any:
    return browser.submit(f"team_accessrequest_{act}", request.pk)


def test_the_role_of_approver_is_given_after_a_second_person_agreed(
    waiting: AccessRequest, second: Console, lucia: User, boss: Console
) -> None:
    assert members.roles_of(lucia) == {MERCHANT_PREPARER}
    assert decide(second, "approve", waiting).status_code == 302
    assert members.roles_of(lucia) == {MERCHANT_PREPARER, MERCHANT_APPROVER}
    waiting.refresh_from_db()
    assert (waiting.status, waiting.requested_by, waiting.decided_by) == (
        *("DONE", "gabriel"),
        "rosa",
    )
    page = boss.page("merchants_membership_change", membership(lucia)).content.decode()
    assert "gabriel" in page
    assert "rosa" in page


def test_approver_of_the_service_is_a_second_person(waiting: AccessRequest, lucia: User) -> None:
    assert decide(person("marta", roles.APPROVER), "approve", waiting).status_code == 302
    assert MERCHANT_APPROVER in members.roles_of(lucia)


@pytest.mark.parametrize("who", ["requester", "subject", "inviter"])
def test_no_person_behind_the_request_is_its_second_person(
    merchant: Merchant, gabriel: User, lucia: User, waiting: AccessRequest, who: str
) -> None:
    """Each has the role already, so only the rule stands between them and a second account."""
    user = {
        "requester": gabriel,
        "subject": lucia,
        "inviter": person_of(merchant, "rosa", MERCHANT_APPROVER, actor="dora"),
    }[who]
    if who == "inviter":
        AuditEntry.objects.create(
            actor="rosa", action="user.created", subject_type="user", subject_id=str(lucia.pk)
        )
    user.groups.add(Group.objects.get(name=MERCHANT_APPROVER))
    answer = decide(browser_of(user), "approve", waiting)
    assert answer.status_code == 400
    waiting.refresh_from_db()
    assert waiting.status == "WAITING"


def test_two_accounts_with_one_mailbox_are_one_person(
    merchant: Merchant, gabriel: User, waiting: AccessRequest
) -> None:
    rosa = person_of(merchant, "rosa", MERCHANT_APPROVER, actor="dora")
    name, _at, domain = gabriel.email.partition("@")
    User.objects.filter(pk=rosa.pk).update(email=f"{name}+2@{domain}")
    assert decide(browser_of(rosa), "approve", waiting).status_code == 400


def test_rejected_request_gives_nothing(
    waiting: AccessRequest, second: Console, lucia: User
) -> None:
    assert decide(second, "reject", waiting).status_code == 302
    assert members.roles_of(lucia) == {MERCHANT_PREPARER}
    assert decide(second, "approve", waiting).status_code == 400


def test_request_expires(waiting: AccessRequest, second: Console, lucia: User) -> None:
    with time_machine.travel(clock.now() + timedelta(days=7, minutes=1)):
        again = browser_of(User.objects.get(username="rosa"))
        assert decide(again, "approve", waiting).status_code == 400
    assert members.roles_of(lucia) == {MERCHANT_PREPARER}


def test_request_ends_when_the_person_leaves(
    boss: Console, waiting: AccessRequest, second: Console, lucia: User
) -> None:
    boss.submit("merchants_membership_remove", membership(lucia))
    assert decide(second, "approve", waiting).status_code == 400
    assert MERCHANT_APPROVER not in members.roles_of(lucia)
    told = AuditEntry.objects.get(action="access.rejected", subject_id=waiting.pk)
    assert told.actor == "gabriel"


def test_request_of_a_person_who_left_is_not_approved(
    console: Console, waiting: AccessRequest, second: Console, gabriel: User, lucia: User
) -> None:
    console.submit("merchants_membership_remove", membership(gabriel))
    assert decide(second, "approve", waiting).status_code == 400
    assert MERCHANT_APPROVER not in members.roles_of(lucia)


def test_approver_of_another_merchant_decides_nothing_here(
    waiting: AccessRequest, stranger: Merchant
) -> None:
    other = browser_of(person_of(stranger, "zoraida", MERCHANT_APPROVER))
    assert decide(other, "approve", waiting).status_code in (302, 404)
    waiting.refresh_from_db()
    assert waiting.status == "WAITING"
    assert waiting.pk not in other.page("team_accessrequest_changelist").content.decode()


# Keys.


def new_key(browser: Console, merchant: Merchant, **form: Any) -> Any:
    return browser.submit("merchants_merchant_new_key", merchant.pk, label="Tienda", **form)


def secrets_of(answer: Any) -> dict[str, str]:
    return {str(name): value for name, value in answer.context["values"].items()}


def test_administrator_issues_a_key_that_works_and_pays_nothing(
    boss: Console, merchant: Merchant
) -> None:
    answer = new_key(boss, merchant)
    assert "no-store" in answer.headers["Cache-Control"]
    shown = secrets_of(answer)
    key = ApiKey.objects.get(public_key=shown["X-Api-Key"])
    assert (key.merchant, key.permissions, key.label) == (merchant, [], "Tienda")
    api = ApiClient(None, **shown)
    assert api.post("/collect", order_body(reference="MESA-1")).status_code == 201
    assert api.post("/payout", payout_body()).status_code == 403
    assert AuditEntry.objects.filter(action="api_key.issued", actor="gabriel").exists()


def test_administrator_issues_a_key_that_manages_webhook_endpoints(
    boss: Console, merchant: Merchant
) -> None:
    new = {"url": "https://tienda.example/h", "events": ["payment.failed"]}
    plain = ApiClient(None, **secrets_of(new_key(boss, merchant)))
    assert plain.post("/webhook-endpoints", new).status_code == 403
    assert plain.get("/webhook-endpoints").status_code == 200
    shown = secrets_of(new_key(boss, merchant, manages_webhooks="on"))
    key = ApiKey.objects.get(public_key=shown["X-Api-Key"])
    assert key.permissions == ["webhook:manage"]
    api = ApiClient(None, **shown)
    assert api.post("/webhook-endpoints", new).status_code == 201
    assert api.post("/payout", payout_body()).status_code == 403
    issued = AuditEntry.objects.filter(action="api_key.issued", actor="gabriel").latest("id")
    assert issued.details["permissions"] == ["webhook:manage"]


def test_no_key_pays_and_manages_webhook_endpoints(boss: Console, merchant: Merchant) -> None:
    before = ApiKey.objects.count()
    assert new_key(boss, merchant, pays="on", manages_webhooks="on").status_code == 400
    assert ApiKey.objects.count() == before
    assert not AccessRequest.objects.exists()


def test_key_for_payouts_waits_and_is_shown_once_to_who_requested_it(
    boss: Console, second: Console, merchant: Merchant
) -> None:
    before = ApiKey.objects.count()
    assert new_key(boss, merchant, pays="on").status_code == 302
    request = AccessRequest.objects.get()
    assert decide(boss, "collect", request).status_code == 400
    assert decide(second, "approve", request).status_code == 302
    assert ApiKey.objects.count() == before
    # Not to the second person, and not to a colleague.
    assert decide(second, "collect", request).status_code == 403
    colleague = browser_of(person_of(merchant, "tere", MERCHANT_ADMINISTRATOR))
    assert decide(colleague, "collect", request).status_code == 400
    shown = secrets_of(decide(boss, "collect", request))
    key = ApiKey.objects.get(public_key=shown["X-Api-Key"])
    assert key.permissions == ["payout:create"]
    assert decide(boss, "collect", request).status_code == 400
    request.refresh_from_db()
    assert (request.status, request.key) == ("DONE", key)


def test_administrator_who_is_approver_too_does_not_approve_their_own_key(
    merchant: Merchant,
) -> None:
    both = person_of(merchant, "eva", MERCHANT_ADMINISTRATOR, also=(MERCHANT_APPROVER,))
    browser = browser_of(both)
    new_key(browser, merchant, pays="on")
    assert decide(browser, "approve", AccessRequest.objects.get()).status_code == 400


def test_approved_key_is_not_shown_after_its_time(
    boss: Console, second: Console, merchant: Merchant, gabriel: User
) -> None:
    new_key(boss, merchant, pays="on")
    request = AccessRequest.objects.get()
    decide(second, "approve", request)
    with time_machine.travel(clock.now() + timedelta(days=7, minutes=1)):
        assert decide(browser_of(gabriel), "collect", request).status_code == 400


def test_alias_of_a_key_is_changed(boss: Console, merchant: Merchant, api: ApiClient) -> None:
    answer = boss.submit("merchants_apikey_rename", api.key.pk, label="Tienda en línea")
    assert answer.status_code == 302
    api.key.refresh_from_db()
    assert api.key.label == "Tienda en línea"
    told = AuditEntry.objects.get(action="api_key.renamed")
    assert told.details["new"] == {"label": "Tienda en línea"}


def test_keys_of_other_merchants_are_as_if_absent(boss: Console, stranger: Merchant) -> None:
    theirs = ApiClient(stranger).key
    assert boss.submit("merchants_apikey_rename", theirs.pk, label="x").status_code in (302, 404)
    assert new_key(boss, stranger).status_code in (302, 404)
    theirs.refresh_from_db()
    assert theirs.label != "x"
    assert ApiKey.objects.filter(merchant=stranger).count() == 1


def test_administrator_chooses_events(boss: Console, merchant: Merchant) -> None:
    page = boss.page("merchants_merchant_choose_events", merchant.pk)
    kinds = [value for value, _label in page.context["form"].fields["event_kinds"].choices]
    answer = boss.submit("merchants_merchant_choose_events", merchant.pk, event_kinds=kinds[:2])
    assert answer.status_code == 302
    merchant.refresh_from_db()
    assert merchant.event_kinds == kinds[:2]
    refused = boss.submit("merchants_merchant_choose_events", merchant.pk, event_kinds=["x"])
    assert refused.status_code == 400


def test_history_of_a_colleague_says_who_did_what(
    boss: Console, lucia: User, merchant: Merchant
) -> None:
    row = Membership.objects.get(user=lucia)
    page = "merchants_membership_change_roles"
    boss.submit(page, row.pk, roles=[MERCHANT_STAFF], reason="Other work")
    shown = boss.page("merchants_membership_change", row.pk).content.decode()
    assert said("Changed the roles of a person") in shown
    assert "Other work" in shown
    assert str(roles.LABELS[MERCHANT_PREPARER]) in shown
    assert "/admin/core/auditentry/" not in shown
