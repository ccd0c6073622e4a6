"""The side bar and the pages call the same list by the same word."""

import re

import pytest
from django.contrib import admin
from django.utils.text import capfirst

from payments.console import registry
from payments.console.formatting import list_url
from payments.console.site import navigation
from tests.admin.conftest import Console, url

pytestmark = pytest.mark.django_db


def test_title_of_each_list_is_the_word_of_the_menu(console: Console) -> None:
    words = {
        entry.model: capfirst(str(entry.label))
        for entry in registry.entries()
        if not entry.url_name
    }
    for model in admin.site._registry:
        if (word := words.get(model._meta.label_lower)) is None:
            continue
        page = console.get(list_url(model)).content.decode()
        title = re.search(r'class="shell-title" title="([^"]+)"', page)
        assert title is not None, word
        assert title[1] in (word, word[0].lower() + word[1:])


@pytest.mark.parametrize(
    ("name", "parent"),
    [
        ("ledger_posting", "ledger_entry"),
        ("payout_batches_batchline", "payout_batches_payoutbatch"),
        ("rates_quote", "rates_exchangerate"),
    ],
)
def test_page_without_an_entry_marks_the_entry_of_its_parent(
    console: Console, name: str, parent: str
) -> None:
    page = console.page(f"{name}_changelist").content.decode()
    marked = re.findall(r'<a href="([^"]+)" class="active" aria-current="page"', page)
    assert marked == [url(f"{parent}_changelist")]
    crumbs = re.findall(r'<a href="([^"]+)" class="shell-crumb"', page)
    assert crumbs == marked


def test_operators_see_the_groups_of_every_day_and_of_the_page_open(console: Console) -> None:
    page = console.page("ledger_entry_changelist").content.decode()
    groups = re.findall(
        r'<details class="shell-nav-group"( open)?>\s*<summary class="shell-nav-title">([^<]+)',
        page,
    )
    opened = {title for is_open, title in groups if is_open}
    expected = {str(each.heading) for each in navigation.sections() if each.order in (10, 20, 70)}
    assert expected <= opened
    assert opened < {title for _, title in groups}
