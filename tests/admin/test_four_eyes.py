"""Two persons, not two accounts: no person approves what an account of theirs asked for."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import transaction
from django_otp.plugins.otp_totp.models import TOTPDevice

from merchants import services
from merchants.models import Merchant
from payments.collect.models import Order, Refund
from payments.console import first_password, roles
from payments.console.roles import ADMINISTRATOR, APPROVER, FINANCE, MERCHANT_STAFF, VIEWER
from payments.payout.models import Payout
from tests.admin.conftest import Console, credit, person, send, url
from tests.admin.test_reauthentication import held, roles_form
from tests.support.console_login import PASSWORD
from tests.support.fixtures import ApiClient
from tests.support.merchant_staff import browser_of, person_of, said
from tests.support.refunds import asked

pytestmark = pytest.mark.django_db
NEW = "Páramo-Sumapaz-881"


@pytest.fixture(autouse=True)
def _quiet(settings: Any) -> None:
    settings.DOORBELL = False


def created(console: Console) -> User:
    """Ana makes dos, reads the single-use password, and chooses another in the name of dos."""
    group = Group.objects.get(name=VIEWER).pk
    shown = console.post(url("auth_user_add"), {"username": "dos", "groups": [group]})
    assert shown.status_code == 200
    return chosen()


def chosen() -> User:
    """The person who knows the single-use password of dos has changed it."""
    dos = User.objects.get(username="dos")
    return first_password.choose(user=dos, password=NEW, address="127.0.0.1")


def of_another() -> User:
    return User.objects.create_user("dos", password="Nevado-del-Huila-5", is_staff=True)


def password_set(console: Console) -> User:
    """Ana gives dos another password."""
    dos = of_another()
    assert console.submit("auth_user_password_change", dos.pk).status_code == 200
    return chosen()


def device_reset(console: Console) -> User:
    """Ana takes the device of dos away."""
    dos = of_another()
    TOTPDevice.objects.create(user=dos, name="app", confirmed=True)
    assert console.submit("auth_user_reset_second_factor", dos.pk).status_code == 302
    return dos


WAYS = pytest.mark.parametrize("taken", [created, password_set, device_reset])
Way = Callable[[Console], User]


def issued_by(merchant: Merchant, name: str) -> ApiClient:
    """A client with a key that this person issued."""
    key, secret = services.issue_api_key(
        merchant=merchant, actor=name, permissions=["payout:create"]
    )
    client = ApiClient()
    client.headers = {"X-Api-Key": key.public_key, "X-Api-Secret": secret}
    return client


def large(client: ApiClient, merchant: Merchant, rule_by: str = "beto") -> Payout:
    credit(merchant)
    rule = {"payout_approval_above": 0, "payout_approval_set_by": rule_by}
    Merchant.objects.filter(pk=merchant.pk).update(**rule)
    return send(client)


def assert_only_another_approves(console: Console, record: Payout | Refund) -> None:
    """Ana is refused with the reason; an operator who has nothing to do with it is not."""
    page = f"{record._meta.label_lower.replace('.', '_')}_approve"
    refused = console.submit(page, record.pk)
    assert refused.status_code == 400
    assert refused.context["form"].non_field_errors()
    record.refresh_from_db()
    assert record.needs_approval
    assert person("luz", APPROVER).submit(page, record.pk).status_code == 302
    record.refresh_from_db()
    assert not record.needs_approval


@WAYS
def test_a_payout_by_the_key_of_ones_second_account(
    console: Console, merchant: Merchant, taken: Way
) -> None:
    dos = taken(console)
    payout = large(issued_by(merchant, dos.username), merchant)
    assert_only_another_approves(console, payout)


@WAYS
def test_a_payout_under_the_rule_of_ones_second_account(
    console: Console, api: ApiClient, merchant: Merchant, taken: Way
) -> None:
    payout = large(api, merchant, rule_by=taken(console).username)
    assert_only_another_approves(console, payout)


@WAYS
def test_a_refund_that_ones_second_account_asks_for(
    console: Console, bought: Order, taken: Way
) -> None:
    dos = taken(console)
    dos.groups.set([Group.objects.get(name=FINANCE)])
    browser = browser_of(dos)
    asked_for = browser.submit("collect_order_refund_order", bought.pk, amount="20000")
    assert asked_for.status_code == 302
    assert_only_another_approves(console, Refund.objects.get())


@WAYS
def test_a_refund_by_the_key_of_ones_second_account(
    console: Console, merchant: Merchant, bought: Order, taken: Way
) -> None:
    dos = taken(console)
    assert_only_another_approves(console, asked(issued_by(merchant, dos.username), bought))


def refund_of(user: User, order: Order) -> Refund:
    answer = browser_of(user).submit(
        "collect_order_refund_order", order.pk, amount="20000", checked="1"
    )
    assert answer.status_code == 302
    return Refund.objects.get()


def test_a_refund_that_a_merchants_person_of_ones_own_asks_for(
    console: Console, merchant: Merchant, bought: Order
) -> None:
    form = {"username": "lucia", "email": "lucia@cafe.example", "role": MERCHANT_STAFF}
    assert (
        console.submit("merchants_merchant_create_person", merchant.pk, **form).status_code == 200
    )
    lucia = User.objects.get(username="lucia")
    lucia = first_password.choose(user=lucia, password=NEW, address="127.0.0.1")
    refund = refund_of(lucia, bought)
    assert_only_another_approves(console, refund)


def test_a_refund_that_the_person_of_ones_second_account_asks_for(
    console: Console, merchant: Merchant, bought: Order
) -> None:
    """Ana made dos, and dos made lucia."""
    created(console)
    lucia = person_of(merchant, "lucia", actor="dos")
    assert_only_another_approves(console, refund_of(lucia, bought))


def test_who_only_mended_an_address_or_gave_a_role_approves(
    console: Console, merchant: Merchant
) -> None:
    dos = of_another()
    form = roles_form(dos, VIEWER)
    assert console.post(url("auth_user_change", dos.pk), form).status_code == 302
    payout = large(issued_by(merchant, "dos"), merchant)
    assert console.submit("payout_payout_approve", payout.pk).status_code == 302


def test_ones_own_new_password_puts_no_person_behind(console: Console, merchant: Merchant) -> None:
    form = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert console.post(url("password_change"), form).status_code == 302
    of_another()
    payout = large(issued_by(merchant, "dos"), merchant)
    browser = browser_of(User.objects.get(username="ana"))
    assert browser.submit("payout_payout_approve", payout.pk).status_code == 302


@pytest.mark.parametrize("money", [APPROVER, FINANCE])
def test_who_makes_accounts_decides_about_no_money(console: Console, money: str) -> None:
    dora = User.objects.create_user("dora", is_staff=True)
    address = url("auth_user_change", dora.pk)
    refused = console.post(address, roles_form(dora, ADMINISTRATOR, money))
    assert refused.status_code == 200
    assert list(refused.context["adminform"].form.errors) == ["groups"]
    assert held(dora) == set()
    for role in (ADMINISTRATOR, money, ADMINISTRATOR):  # one after the other is no two
        assert console.post(address, roles_form(dora, role)).status_code == 302
        assert held(dora) == {role}


@pytest.mark.parametrize("money", [APPROVER, FINANCE])
def test_no_person_gets_both_past_the_form_either(db: None, money: str) -> None:
    dora = User.objects.create_user("dora", is_staff=True)
    chief, other = (Group.objects.get(name=name) for name in (ADMINISTRATOR, money))
    with pytest.raises(roles.RolesApart), transaction.atomic():
        dora.groups.set([chief, other])
    dora.groups.add(other)
    with pytest.raises(roles.RolesApart), transaction.atomic():
        dora.groups.add(chief)
    with pytest.raises(roles.RolesApart), transaction.atomic():
        chief.user_set.add(dora)
    assert held(dora) == {money}


def test_finance_and_approver_add_up(console: Console) -> None:
    dora = User.objects.create_user("dora", is_staff=True)
    form = roles_form(dora, FINANCE, APPROVER)
    assert console.post(url("auth_user_change", dora.pk), form).status_code == 302
    assert held(dora) == {FINANCE, APPROVER}


def test_who_asked_for_a_refund_is_not_offered_to_approve_it(
    console: Console, ana: User, bought: Order
) -> None:
    refund = refund_of(ana, bought)
    page = console.page("collect_refund_change", refund.pk)
    address = url("collect_refund_approve", refund.pk)
    assert address not in page.content.decode()
    assert said("Another person has to decide.") in page.content.decode()
    others = person("luz", APPROVER).page("collect_refund_change", refund.pk).content.decode()
    assert address in others
    # By its address it says so at once, and asks for no reason.
    answer = console.get(address, follow=True)
    assert answer.redirect_chain == [(url("collect_refund_change", refund.pk), 302)]
    assert said("The person who asked for this cannot approve it.") in answer.content.decode()


def test_ones_own_refund_does_not_wait_on_ones_first_page(
    console: Console, ana: User, bought: Order
) -> None:
    refund_of(ana, bought)
    query = "exceptions=approval"

    def waiting(browser: Console) -> int:
        cards = browser.page("index").context["cards"]
        return sum(card["value"] for card in cards if "/refund/?" + query in card["link"])

    assert waiting(console) == 0
    assert waiting(person("luz", APPROVER)) == 1


def test_who_set_the_rule_reads_it_before_any_reason(
    console: Console, api: ApiClient, merchant: Merchant
) -> None:
    payout = large(api, merchant, rule_by="ana")
    answer = console.get(url("payout_payout_approve", payout.pk), follow=True)
    assert answer.redirect_chain == [(url("payout_payout_change", payout.pk), 302)]
    assert said("The person who set the rule cannot approve under it.") in answer.content.decode()
