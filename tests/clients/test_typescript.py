"""Types of openapi-typescript, with openapi-fetch as the client, do a merchant's work."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from merchants.models import Merchant
from payments.collect.models import Order
from payments.payout.models import Payout
from tests.clients import npm_programs
from tests.contract.wire import Server
from tests.support.factories import issue_key
from tests.support.programs import said

HERE = Path(__file__).parent
OPTIONS = {
    "strict": True,
    "exactOptionalPropertyTypes": True,
    "noUncheckedIndexedAccess": True,
    "target": "es2022",
    "module": "nodenext",
    "types": [],
    "lib": ["es2022", "dom", "dom.iterable"],
}


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    return said(command, cwd=cwd, environment={**os.environ, **environment})


@pytest.fixture(scope="module")
def compiled(document: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, accepted by the strictest checks of TypeScript."""
    generator = npm_programs.program("openapi-typescript")
    folder = tmp_path_factory.mktemp("typescript")
    os.symlink(npm_programs.modules(), folder / "node_modules")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": OPTIONS}))
    shutil.copyfile(HERE / "merchant.ts", folder / "merchant.ts")
    run(generator, document, "--default-non-nullable", "false", "-o", "schema.d.ts", cwd=folder)
    run(npm_programs.program("tsc"), cwd=folder)
    return folder


@pytest.fixture
def program(compiled: Path, service: Server, merchant: Merchant, transactional_db: None) -> Any:
    """Runs a step for a merchant of its own, with nothing yet."""
    key, secret = issue_key(merchant, ("payout:create",))
    keys = {"API_KEY": key.public_key, "API_SECRET": secret}
    address = f"http://127.0.0.1:{service.port}/api/v1"

    def step(name: str) -> Any:
        return json.loads(run("node", "merchant.js", address, name, cwd=compiled, **keys))

    return step


def test_it_creates_reads_and_lists_orders(program: Any) -> None:
    seen = program("order")
    order = Order.objects.get()
    assert seen == {
        "created": [order.pk, "PEDIDO-1", 50025, "PENDING"],
        "expires": True,
        "read": [order.pk, "María Ñáñez", 50000, 25, {"cart": "A-7"}],
        "listed": [order.pk],
    }


def test_the_same_key_twice_is_one_order(program: Any) -> None:
    seen = program("replay")
    order = Order.objects.get()
    assert seen == {
        "statuses": [201, 201],
        "ids": [order.pk, order.pk],
        "replayed": [None, "true"],
    }


def test_a_refusal_comes_as_the_envelope(program: Any) -> None:
    seen = program("refusal")
    assert "reference" in seen.pop("message")
    assert seen == {
        "status": 400,
        "success": False,
        "code": "VALIDATION_ERROR",
        "field": "reference",
    }


def test_it_refunds_a_part_of_a_payment(program: Any) -> None:
    assert program("refund") == {
        "paid": ["COMPLETED", True],
        "asked": [20000, "PENDING"],
        "done": "COMPLETED",
        "read": "COMPLETED",
        "listed": [True],
    }


def test_it_sends_a_payout(program: Any) -> None:
    seen = program("payout")
    payout = Payout.objects.get()
    assert seen == {
        "balance": ["COPM", 500000],
        "made": [100000, int(payout.fee_amount), "PENDING", "bank"],
        "read": [True, None],
        "listed": [True],
    }


def test_it_reads_every_other_list(program: Any) -> None:
    seen = program("reads")
    assert seen["agreements"] > 0
    assert seen["operators"] > 0
    assert (seen["statistics"], seen["balance"], seen["movements"]) == (1, 1, 1)


def test_it_tells_events_apart_by_their_kind(program: Any, merchant: Merchant) -> None:
    merchant.event_kinds = ["payment.partially_refunded"]
    merchant.save()
    assert program("feed") == [
        ["payment.completed", 50025, 1],
        ["payment.partially_refunded", 30025, 20000],
    ]
