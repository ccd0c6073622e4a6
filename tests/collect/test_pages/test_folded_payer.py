"""The line that folds what the shop told of the payer, and the key that a payer types."""

from collections.abc import Callable

import pytest

from payments.collect.models import Charge, Order
from tests.collect.test_pages.conftest import Payer, charge_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("document", "is_company"), [(("NIT", "890903938"), True), (("CC", "1020304050"), False)]
)
def test_folded_line_names_the_legal_name_of_a_company_as_such(
    document: tuple[str, str], is_company: bool, create: Callable[..., Order]
) -> None:
    kind, number = document
    order = create(customerDocType=kind, customerDocNumber=number)
    folded = (
        Payer(order).see("/pse?lang=en").partition("<summary><span")[2].partition("</summary>")[0]
    )
    assert ("<small>Legal name</small>" in folded) is is_company
    assert ("NIT 890.903.938-8" in folded) is is_company


def test_long_key_is_smaller_and_breaks_at_its_signs(order: Order) -> None:
    payer = Payer(order)
    payer.choose("/with/breb_key", {})
    assert "key-long" not in payer.see()
    Charge.objects.filter(pk=charge_of(order).pk).update(key_value="pagos.cafe@andino.example")
    page = payer.see()
    assert '<bdi class="key-longer">pagos.<wbr>cafe<wbr>@andino.<wbr>example</bdi>' in page
    assert 'data-copy="pagos.cafe@andino.example"' in page
