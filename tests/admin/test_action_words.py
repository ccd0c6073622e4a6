"""The audit log tells what was done in words, whatever the code calls it."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.utils import translation

from merchants.models import Merchant
from payments.console import roles
from payments.console.record_names import action_name
from payments.core import audit
from tests.admin.conftest import Console, person

ROOT = Path(__file__).parents[2]
LITERAL = re.compile(r'action=\s*"([a-z_]+\.[a-z_]+)"')
# Names of the suites of verbs that the code puts together.
COMPOSED = ["bank_line.booked", "rail_account.switched_on", "rail_route.change_approved"]


def written() -> set[str]:
    """The actions that the code names in full."""
    files = (file for app in ("payments", "merchants", "webhooks") for file in _files(app))
    return {name for file in files for name in LITERAL.findall(file.read_text())}


def _files(app: str) -> list[Path]:
    return [file for file in (ROOT / app).rglob("*.py") if "migrations" not in file.parts]


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_action_of_the_code_has_words(language: str) -> None:
    actions = written()
    assert len(actions) > 60
    with translation.override(language):
        bare = {name for name in {*actions, *COMPOSED} if action_name(name) == name}
    assert bare == set()


def test_changes_of_a_catalogue_are_named_by_its_kind() -> None:
    with translation.override("en"):
        assert action_name("payoutmethod.changed") == "payout method: changed"
        assert action_name("unheard.of") == "unheard.of"


@pytest.mark.django_db
def test_list_of_the_audit_log_has_words_and_no_codes(
    admin_client: Client, merchant: Merchant
) -> None:
    audit.record(actor="ana", action="merchant.changed", subject=merchant, reason="it moved")
    page = admin_client.get("/admin/core/auditentry/", headers={"accept-language": "en"})
    text = page.content.decode()
    assert "Changed the account" in text
    assert "merchant.changed</" not in text


@pytest.mark.django_db
def test_list_of_roles_says_what_each_is_for_and_who_has_it(console: Console) -> None:
    page = console.get("/admin/auth/group/")
    shown = unescape(page.content.decode())
    with translation.override(page.headers["Content-Language"]):
        assert [each for each in roles.SUMMARIES.values() if str(each) not in shown] == []
    assert roles.SUMMARIES.keys() == roles.LABELS.keys()


@pytest.mark.django_db
def test_page_of_a_role_tells_what_it_may_do_by_area(console: Console) -> None:
    finance = Group.objects.get(name=roles.FINANCE)
    person("fina", roles.FINANCE)
    address = f"/admin/auth/group/{finance.pk}/change/"
    page = console.get(address, headers={"accept-language": "en"})
    text = unescape(page.content.decode())
    assert "Can see:" not in text
    assert "Can view" not in text
    assert f"/admin/auth/user/?groups__id__exact={finance.pk}&state=active" in text
    for shown in ("1 person", "What this role may do", "Everywhere", "Can export lists"):
        assert shown.lower() in text.lower(), shown
    assert 'name="_save"' not in text
    assert "/admin/auth/group/add/" not in console.get("/admin/auth/group/").content.decode()


@pytest.mark.django_db
def test_page_of_a_superuser_says_so_instead_of_empty_boxes(console: Console) -> None:
    other = User.objects.create_superuser("other")
    page = console.get(f"/admin/auth/user/{other.pk}/change/", headers={"accept-language": "en"})
    text = page.content.decode()
    assert "This person is a superuser and may do everything" in text
    assert 'name="groups"' not in text


@pytest.mark.django_db
def test_what_does_not_exist_is_said_inside_the_console(console: Console) -> None:
    for address in ("/admin/nada", "/admin/collect/order/none/nada/"):
        page = console.get(address, headers={"accept-language": "en"})
        text = page.content.decode()
        assert page.status_code in (302, 404), address
        if page.status_code == 404:
            assert "This page does not exist" in text
            assert 'href="/admin/collect/order/"' in text  # the side bar
    page = console.get("/admin/nada/", headers={"accept-language": "en"})
    assert (page.status_code, "not for your role" in page.content.decode()) == (404, True)
    missing = console.get(
        "/admin/collect/order/col_none/change/", headers={"accept-language": "en"}, follow=True
    )
    text = missing.content.decode()
    assert "There is no record “col_none” that you can open" in text
    assert "deleted" not in text
