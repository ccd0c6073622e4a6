"""The examples of the pages of TypeScript and PHP do what the pages say."""

import re
from pathlib import Path

import pytest

from payments.collect.models import Order
from tests.sdks.conftest import SDKS
from tests.sdks.programs import compiled, environment_of
from tests.support.programs import said
from webhooks.endpoint_models import EarlierSecret, Endpoint
from webhooks.models import Delivery

SETTINGS = """
import { type NewOrder, type NewPayout, Pasarela } from "pasarela";
declare const pasarela: Pasarela;
declare const order: NewOrder;
declare const payout: NewPayout;
"""


def blocks(language: str, mark: str) -> list[str]:
    page = (SDKS / language / "README.md").read_text()
    found = re.findall(rf"```{mark}\n(.*?)```", page, re.DOTALL)
    assert len(found) > 3
    return found


def story(found: list[str]) -> str:
    """The examples that make an order, list orders and keep a webhook endpoint."""
    told = [each for each in found if "PEDIDO-1001" in each or "COMPLETED" in each]
    told += [each for each in found if re.search(r"webhookEndpoints\W+create", each)]
    assert len(told) == 3
    return "\n".join(told)


def check_story() -> str:
    """What the service made of it; the address at which the payer pays."""
    endpoint = Endpoint.objects.get()
    assert endpoint.url == "https://tienda.example/webhooks"
    assert EarlierSecret.objects.get().destination == endpoint.pk
    assert Delivery.objects.get().event.kind == "webhook.test"
    return f"/pay/{Order.objects.get(reference='PEDIDO-1001').token}"


@pytest.mark.parametrize("command", ["typescript"], indirect=True)
def test_examples_of_typescript_run(command: list[str], environment: dict[str, str]) -> None:
    shop = Path(command[-1]).parent
    (shop / "story.ts").write_text(story(blocks("typescript", "ts")))
    compiled(shop, "story.ts")
    printed = said(["node", shop / "story.js"], environment=environment_of(environment))
    assert check_story() in printed


@pytest.mark.parametrize("command", ["typescript"], indirect=True)
def test_each_example_of_typescript_compiles(command: list[str]) -> None:
    shop = Path(command[-1]).parent
    for number, block in enumerate(blocks("typescript", "ts")):
        name = f"example-{number}.ts"
        (shop / name).write_text(block if "new Pasarela" in block else SETTINGS + block)
    compiled(shop, *[each.name for each in shop.glob("example-*.ts")])


@pytest.mark.parametrize("command", ["php"], indirect=True)
def test_examples_of_php_run(
    command: list[str], environment: dict[str, str], tmp_path: Path
) -> None:
    program = tmp_path / "story.php"
    start = "<?php\ndeclare(strict_types=1);\nrequire getenv('AUTOLOAD');\n"
    told = story(blocks("php", "php"))
    program.write_text(f"{start}{told}\necho $order['collectUrl'];")
    printed = said([*command[:-1], program], environment=environment_of(environment))
    assert check_story() in printed


@pytest.mark.parametrize("command", ["php"], indirect=True)
def test_each_example_of_php_is_php(command: list[str], tmp_path: Path) -> None:
    for block in blocks("php", "php"):
        (tmp_path / "example.php").write_text(f"<?php\n{block}")
        said([*command[:-1], "-l", tmp_path / "example.php"])
