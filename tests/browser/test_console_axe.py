"""Every list and every record of the console under axe: nothing but what is the theme's own."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.utils import quote
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page

from merchants.models import Merchant
from payments.console.models import Export
from tests.support import page_checks
from tests.support.two_tenants import OWN, furnish

# What axe finds in the theme (Unfold 0.91), on pages that are not of our making.
THEME = {"landmark-one-main", "landmark-unique", "region", "target-size"}
# Django's own boxes to choose permissions from: a tooltip with a label.
DJANGO = {"/admin/auth/group/": {"aria-allowed-attr"}, "/admin/auth/user/": {"aria-allowed-attr"}}


@pytest.fixture
def ana(merchant: Merchant) -> Client:
    """Logged in, among rows of every kind."""
    with transaction.atomic():
        furnish(merchant, OWN)
    session = Client()
    session.force_login(
        User.objects.create_superuser("ana", "ana@pasarela.example", "Volcán-Galeras-4276")
    )
    return session


@pytest.fixture
def desk(open_browser: Callable[..., BrowserContext], server: str, ana: Client) -> Page:
    """Ana's browser."""
    context = open_browser(viewport={"width": 1280, "height": 800}, is_payers=False)
    cookie = ana.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": server}])
    return context.new_page()


def addresses() -> Iterator[str]:
    """The list of every kind of record, and one record of it."""
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{name}_changelist")
        row: Any = model._default_manager.order_by("-pk").first()
        # The file of another person is absent for her.
        if row is not None and model is not Export:
            yield reverse(f"{name}_change", args=[quote(row.pk)])


def test_nothing_but_the_themes_own(desk: Page, server: str) -> None:
    there = list(addresses())
    assert len(there) > 50
    found = {}
    for address in there:
        answer = desk.goto(f"{server}{address}")
        assert answer is not None
        assert answer.status == 200, address
        known = THEME.union(*(names for part, names in DJANGO.items() if part in address))
        ours = [one for one in page_checks.violations(desk) if one.partition(":")[0] not in known]
        if ours:
            found[address] = ours
    assert found == {}
