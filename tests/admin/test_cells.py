"""What others write into a list takes no more room than any other text."""

import pytest

from payments.console.cells import on_one_line
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
