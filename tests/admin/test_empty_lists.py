"""An empty list of the menu tells the operator what it will hold."""

import re

import pytest
from django.contrib import admin
from django.db.models import Model

from payments.console.registry import menu_word
from tests.admin.conftest import Console
from tests.support.two_tenants import load_catalogues

pytestmark = pytest.mark.django_db
IN_MENU = [
    model for model in admin.site._registry if menu_word(model._meta.label_lower, is_merchant=False)
]


@pytest.mark.parametrize("model", IN_MENU, ids=lambda model: model._meta.label_lower)
def test_an_empty_list_says_what_comes_there(console: Console, model: type[Model]) -> None:
    load_catalogues()
    name = f"{model._meta.app_label}_{model._meta.model_name}_changelist"
    page = console.page(name).content.decode()
    if "Todavía no hay nada aquí" in page and 'class="shell-about"' not in page:
        text = re.search(r'class="shell-empty-text">([^<]+)<', page)
        assert text is not None
        assert text[1].strip()


def test_fees_of_no_payment_are_one_sentence(console: Console) -> None:
    page = console.page("ledger_feeday_changelist").content.decode()
    assert "En total" not in page
    assert "Ninguna fila coincide" in page
