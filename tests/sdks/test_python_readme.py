"""The examples of the Python SDK's page do what the page says."""

import re
from typing import Any

import pytest

from payments.collect.models import Order
from tests.sdks.conftest import SDKS
from tests.support.factories import order_body

README = (SDKS / "python" / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_first_example_makes_an_order_and_the_next_lists_it(
    keys: tuple[str, str], address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    first, walk = BLOCKS[0], next(block for block in BLOCKS if "orders.all(" in block)
    for told, true in (
        ("pk_...", keys[0]),
        ("sk_...", keys[1]),
        ("https://pagos.example", address),
    ):
        assert told in first
        first = first.replace(told, true)
    names: dict[str, Any] = {}
    exec(first, names)  # noqa: S102
    order, client = Order.objects.get(), names["pasarela"]
    assert capsys.readouterr().out.strip() == client.orders.get(order.pk)["collectUrl"]
    client.sandbox.order(order.pk, status="COMPLETED")
    client.orders.create(**order_body(reference="OTRO"))
    exec(walk, names)  # noqa: S102
    assert capsys.readouterr().out == "PEDIDO-1 50025\n"
