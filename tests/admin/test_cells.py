"""What others write into a list takes no more room than any other text."""

import pytest

from payments.console.cells import on_one_line, parts_of
from payments.console.formatting import badge
from tests.admin.conftest import Console
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient


@pytest.mark.django_db
@pytest.mark.parametrize("reference", ["7" * 100, "pedido whitespace-nowrap material-" + "x" * 60])
def test_long_reference_is_cut_whatever_it_says(
    console: Console, api: ApiClient, reference: str
) -> None:
    api.post("/collect", order_body(reference=reference))
    page = console.page("collect_order_changelist").content.decode()
    assert f'<div class="desk-cut" title="{reference}">' in page


def test_amounts_of_tables_stay_on_one_line() -> None:
    assert 'whitespace-nowrap">50.025 COP<' in str(on_one_line("50.025 COP"))
    for other in ("Café 50.025 COP", "-", "", badge("Paid", "success"), 5):
        assert on_one_line(other) is other


def test_amounts_of_tables_stand_on_the_right_and_empty_cells_are_known() -> None:
    rows = [["Tarifa", "1.200 COP", "3"], ["IVA", "-", "12"]]
    parts = parts_of({"headers": ["Concepto", "Valor", "Veces"], "rows": rows})
    assert parts["headers"] == [
        ("Concepto", ""),
        ("Valor", "shell-right"),
        ("Veces", "shell-right"),
    ]
    assert parts["rows"][1][1][1] == "shell-right shell-none"


def test_number_of_a_document_is_no_amount() -> None:
    parts = parts_of({"headers": ["Documento"], "rows": [["1020304050"], ["52123456"]]})
    assert parts["headers"] == [("Documento", "")]


def test_fingerprint_is_shown_by_its_ends_and_copied_whole() -> None:
    shown = str(on_one_line("3fa91c02" * 8))
    assert "3fa91c02…a91c02<" in shown
    assert f'data-copy="{"3fa91c02" * 8}"' in shown
