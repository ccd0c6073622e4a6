"""What a role does not allow: a page that says so, and no button that leads to it."""

import re

import pytest
from django.contrib import admin
from django.urls import reverse

from merchants.models import Merchant
from payments.console.roles import MERCHANT_STAFF, VIEWER
from tests.admin.conftest import Console, person
from tests.support.merchant_staff import browser_of, person_of, said
from tests.support.two_tenants import OWN, furnish, load_catalogues

pytestmark = pytest.mark.django_db
ADD = "/admin/auth/user/add/"
_LINK = re.compile(r'href="(/admin/[^"?#]+)')


def test_the_page_says_it_in_the_frame_of_the_console(db: None) -> None:
    answer = person("vera", VIEWER).get(ADD)
    assert answer.status_code == 403
    page = answer.content.decode()
    assert said("Your role does not allow this") in page
    assert said("An administrator of Pasarela can give you a role that has it.") in page
    assert f'href="{reverse("admin:index")}"' in page
    assert "403 Forbidden" not in page


def test_a_merchants_person_reads_whom_of_the_team_to_ask(merchant: Merchant) -> None:
    answer = browser_of(person_of(merchant, "lucia", MERCHANT_STAFF)).page(
        "withdrawals_bankaccount_enter"
    )
    assert answer.status_code == 403
    text = said("An administrator of your team can give you a role that has it.")
    assert text in answer.content.decode()


def test_no_button_of_an_operator_is_refused(console: Console, merchant: Merchant) -> None:
    """All links of all lists, and of one record of each, for a superuser."""
    load_catalogues()
    furnish(merchant, OWN)
    refused: dict[str, str] = {}
    tried: set[str] = set()
    for model in admin.site._registry:
        name = f"{model._meta.app_label}_{model._meta.model_name}"
        pages = [reverse(f"admin:{name}_changelist")]
        if (row := model._default_manager.first()) is not None:
            pages.append(reverse(f"admin:{name}_change", args=[row.pk]))
        for page in pages:
            content = console.get(page).content.decode()
            actions = {
                path for path in _LINK.findall(content) if f"/{model._meta.model_name}/" in path
            }
            for path in sorted(actions - tried):
                tried.add(path)
                if console.get(path).status_code == 403:
                    refused[path] = page
    assert len(tried) > 100
    assert refused == {}
