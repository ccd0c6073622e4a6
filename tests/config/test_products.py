"""Mistakes in a product's declaration, and what the developer is told."""

from dataclasses import replace
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import product_checks
from payments.core import products
from payments.core.products import STEPS, ProductDeclaration, enumerate_in_words, load, named
from payments.topup.declaration import TOPUPS

REAL = [
    "payments.payout.declaration.PAYOUTS",
    "payments.topup.declaration.TOPUPS",
    "payments.bills.declaration.BILLS",
]
COPY = replace(
    TOPUPS,
    name="voucher",
    provider_setting="VOUCHER_PROVIDER",
    check_id=500,
    scanner="voucher-act",
)
NOT_A_DECLARATION = object()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "Top-up"}, "'Top-up' is no name of a product: 2 to 20 letters a to z."),
        ({"name": "t" * 21}, "is no name of a product"),
        ({"provider_setting": "topup_provider"}, "topup: provider_setting must look like"),
        ({"provider_setting": "TOPUP"}, "topup: provider_setting must look like"),
        ({"check_id": 41}, "topup: check_id must be a free multiple of ten below 1000."),
        ({"check_id": 90}, "topup: check_id must be a free multiple of ten below 1000."),
        ({"switch": "has_topups"}, "topup: switch must look like payout_enabled."),
        (
            {"entry_labels": {"reserved": "reserved"}},
            "topup: entry_labels must have reserved, released, completed, returned, lost",
        ),
        (
            {"entry_labels": dict.fromkeys((*STEPS, "opened"), "")},
            "topup: entry_labels must have reserved, released, completed, returned, lost",
        ),
    ],
)
def test_declaration_that_contradicts_itself_says_what_it_needs(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError) as refused:
        replace(TOPUPS, **changes)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("payments.voucher.declaration.VOUCHERS", "No module named 'payments.voucher'"),
        ("payments.topup.declaration.VOUCHERS", 'does not define a "VOUCHERS"'),
        ("VOUCHERS", "doesn't look like a module path"),
        (f"{__name__}.NOT_A_DECLARATION", "is no ProductDeclaration."),
    ],
)
def test_path_without_a_declaration_is_named_when_settings_load(path: str, message: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        load([*REAL, path])
    assert str(refused.value).startswith(f"PRODUCTS: {path} ")
    assert message in str(refused.value)


@pytest.mark.parametrize("field", ["name", "provider_setting", "check_id", "scanner"])
def test_two_products_cannot_share_what_tells_them_apart(
    field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_topups = getattr(TOPUPS, field)
    copy = replace(COPY, **{field: of_topups})
    monkeypatch.setattr(f"{__name__}.NOT_A_DECLARATION", copy)
    products._load.cache_clear()
    with pytest.raises(ImproperlyConfigured) as refused:
        load([*REAL, f"{__name__}.NOT_A_DECLARATION"])
    assert str(refused.value) == f"PRODUCTS: two products have the {field} {of_topups}."
    products._load.cache_clear()


def test_unknown_product_is_named_with_those_that_exist() -> None:
    with pytest.raises(LookupError, match=r"'tpoup'.* payout, topup, bill, refund\."):
        named("tpoup")


def found(declaration: ProductDeclaration) -> list[str]:
    return [f"{number} {text}" for number, text in product_checks._missing(declaration)]


def test_declared_products_have_all_their_parts() -> None:
    assert product_checks.declared_products(None) == []
    assert found(TOPUPS) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {"switch": "voucher_enabled"},
            "90 add the switch voucher_enabled to Merchant (merchants/models.py).",
        ),
        (
            {"name": "voucher"},
            "91 its engine has the name topup. Both name the ledger entries.",
        ),
        (
            {"scan_task": "payments.topup.services.topups.create_topup"},
            "92 scan_task payments.topup.services.topups.create_topup is no task. "
            "Decorate it with @shared_task.",
        ),
        (
            {"name": "voucher"},
            "93 no app declares its table (AppMetrics.outgoing), so /metrics leaves it out.",
        ),
        (
            {"reference": "payments.topup.declaration.TOPUPS"},
            "94 reference payments.topup.declaration.TOPUPS is no "
            "payments.api.reference.parts.Part.",
        ),
    ],
)
def test_part_that_is_missing_fails_every_command(changes: dict[str, Any], expected: str) -> None:
    assert expected in found(replace(TOPUPS, **changes))


def test_check_names_the_product(monkeypatch: pytest.MonkeyPatch) -> None:
    without_column = replace(COPY, name="topup", switch="voucher_enabled")
    monkeypatch.setattr(product_checks, "products", lambda: [without_column])
    (error,) = product_checks.declared_products(None)
    assert error.id == "pasarela.E090"
    assert error.msg == (
        "Product topup: add the switch voucher_enabled to Merchant (merchants/models.py)."
    )


@pytest.mark.parametrize(
    ("words", "text"),
    [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")],
)
def test_products_are_enumerated_in_words(words: list[str], text: str) -> None:
    assert enumerate_in_words(words) == text
