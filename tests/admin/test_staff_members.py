"""An operator lets people work for a merchant, and ends it. No person is operator and merchant."""

import re

import pytest
from django.contrib.auth.models import Group, User

from merchants.models import Membership, Merchant
from payments.collect.models import Order
from payments.console import first_password, roles
from payments.core.models import AuditEntry
from tests.admin.conftest import REASON, Console, person
from tests.support.merchant_staff import PASSWORD, browser_of, person_of, said


def acts(action: str) -> list[dict]:
    return list(AuditEntry.objects.filter(action=action).order_by("pk").values())


def test_an_operator_creates_a_person_whose_password_is_shown_once(
    console: Console, merchant: Merchant
) -> None:
    answer = console.submit(
        "merchants_merchant_create_person",
        merchant.pk,
        username="lucia",
        email="lucia@cafeandino.example",
        role=roles.MERCHANT_STAFF,
    )

    assert answer.status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]
    password = list(answer.context["values"].values())[1]
    assert password in answer.content.decode()
    lucia = User.objects.get(username="lucia")
    assert lucia.check_password(password)
    assert list(lucia.groups.values_list("name", flat=True)) == [roles.MERCHANT_STAFF]
    assert Membership.objects.get(user=lucia).merchant == merchant
    told = acts("member.added")[0]
    assert (told["actor"], told["subject_id"], told["reason"]) == ("ana", merchant.pk, REASON)
    assert told["details"] == {"user": "lucia", "role": roles.MERCHANT_STAFF}
    assert password not in str(list(AuditEntry.objects.values()))
    page = console.page("merchants_merchant_change", merchant.pk).content.decode()
    assert "lucia@cafeandino.example" in page
    assert password not in page


def test_the_created_person_logs_in_with_that_password(
    console: Console, merchant: Merchant
) -> None:
    form = {"username": "lucia", "email": "l@cafeandino.example", "role": roles.MERCHANT_STAFF}
    answer = console.submit("merchants_merchant_create_person", merchant.pk, **form)
    browser = Console()
    sent = {"username": "lucia", "password": list(answer.context["values"].values())[1]}
    browser.post("/admin/login/?next=/admin/", sent)
    assert "/admin/first-password/" in browser.get("/admin/").url
    own = {"new_password1": PASSWORD, "new_password2": PASSWORD}
    browser.post("/admin/first-password/", own)
    assert browser.get("/admin/").status_code == 200
    assert browser.page("collect_order_changelist").status_code == 200


def test_a_name_that_is_taken_is_refused_whatever_its_case(
    console: Console, merchant: Merchant
) -> None:
    form = {"username": "ANA", "email": "x@y.example", "role": roles.MERCHANT_STAFF}
    answer = console.submit("merchants_merchant_create_person", merchant.pk, **form)
    assert answer.status_code == 400
    assert said("This user name is taken.") in answer.content.decode()
    assert User.objects.count() == 1


def test_person_with_an_account_works_for_a_second_merchant(
    console: Console, merchant: Merchant, stranger: Merchant
) -> None:
    lucia = person_of(merchant, "lucia")
    form = {"username": "lucia", "role": roles.MERCHANT_STAFF}
    answer = console.submit("merchants_merchant_add_person", stranger.pk, **form)
    assert answer.status_code == 302
    assert Membership.objects.filter(user=lucia).count() == 2
    again = console.submit("merchants_merchant_add_person", stranger.pk, **form)
    assert said("This person works for the merchant already.") in again.content.decode()


def test_a_person_has_one_role_everywhere(
    console: Console, merchant: Merchant, stranger: Merchant
) -> None:
    person_of(merchant, "lucia")
    form = {"username": "lucia", "role": roles.MERCHANT_ADMINISTRATOR}
    answer = console.submit("merchants_merchant_add_person", stranger.pk, **form)
    assert said("A person has the same role at all merchants.") in answer.content.decode()
    assert Membership.objects.count() == 1


@pytest.mark.parametrize("kind", ["superuser", "operator", "plain staff", "closed", "unknown"])
def test_who_cannot_be_added(console: Console, merchant: Merchant, kind: str) -> None:
    beto = User(username="beto", is_staff=kind in ("operator", "plain staff"))
    beto.is_superuser, beto.is_active = kind == "superuser", kind != "closed"
    if kind != "unknown":
        beto.save()
    if kind == "operator":
        beto.groups.add(Group.objects.get(name=roles.SUPPORT))
    form = {"username": "beto", "role": roles.MERCHANT_STAFF}
    answer = console.submit("merchants_merchant_add_person", merchant.pk, **form)
    assert answer.status_code == 400
    expected = {
        "closed": "This account is deactivated.",
        "unknown": "No account has this user name.",
    }
    why = expected.get(kind, "This person is an operator, and works for no merchant.")
    assert said(why) in answer.content.decode()
    assert not Membership.objects.exists()


def test_who_is_removed_sees_nothing_from_that_moment(console: Console, merchant: Merchant) -> None:
    lucia = person_of(merchant, "lucia")
    browser = browser_of(lucia)
    assert browser.page("collect_order_changelist").status_code == 200
    membership = Membership.objects.get()
    assert console.submit("merchants_membership_remove", membership.pk).status_code == 302

    assert "/admin/login/" in browser.page("collect_order_changelist").url
    browser.post("/admin/login/", {"username": "lucia", "password": PASSWORD})
    assert "/admin/login/" in browser.get("/admin/").url
    assert acts("member.removed")[0]["details"] == {"user": "lucia"}
    # Of the staff again, she still sees no other merchant's rows.
    User.objects.filter(pk=lucia.pk).update(is_staff=True)
    again = browser_of(User.objects.get(pk=lucia.pk))
    page = again.page("merchants_merchant_changelist")
    assert page.status_code == 200
    assert not re.findall(r"mer_\w+", page.content.decode())


def test_who_may_not_give_rights_finds_no_buttons(clerk: Console, merchant: Merchant) -> None:
    person_of(merchant, "lucia")
    page = clerk.page("merchants_merchant_change", merchant.pk).content.decode()
    assert "add_person" not in page
    for name in ("add_person", "create_person"):
        assert clerk.page(f"merchants_merchant_{name}", merchant.pk).status_code == 403
    membership = Membership.objects.get()
    assert clerk.submit("merchants_membership_remove", membership.pk).status_code == 403
    assert Membership.objects.count() == 1


def test_what_an_administrator_reveals_through_a_merchants_person_is_in_the_log(
    merchant: Merchant, order: Order
) -> None:
    """Nothing prevents it; the manual says which rows tell."""
    chief = person("inés", roles.ADMINISTRATOR)
    assert chief.page("collect_order_reveal", order.pk).status_code == 403
    form = {"username": "tere", "email": "t@cafeandino.example", "role": roles.MERCHANT_STAFF}
    chief.submit("merchants_merchant_create_person", merchant.pk, **form)
    tere = User.objects.get(username="tere")
    tere = first_password.choose(user=tere, password=PASSWORD, address="127.0.0.1")
    assert browser_of(tere).page("collect_order_reveal", order.pk).status_code == 200
    assert [row["actor"] for row in acts("user.created")] == ["inés"]
    assert [row["actor"] for row in acts("member.added")] == ["inés"]
    told = acts("personal_data.revealed")[0]
    assert (told["actor"], told["subject_id"]) == ("tere", order.pk)
