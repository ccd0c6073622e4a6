"""Clients that generators make of the document do a merchant's work with the service."""

import json
import os
import sys
from pathlib import Path

import pytest

from merchants.models import Merchant
from payments.collect.models import Order, Refund
from payments.payout.models import Payout
from tests.clients.conftest import ATTRS, HERE, PROGRAMS
from tests.support.programs import Program, said
from webhooks.models import Event


def test_client_creates_reads_and_lists_orders(program: Program) -> None:
    seen = program.run("order")
    order = Order.objects.get()
    assert seen == {
        "created": [order.pk, "PEDIDO-1", 50025, "PENDING"],
        "expires": True,
        "read": [order.pk, "María Ñáñez", 50000, 25, {"cart": "A-7"}],
        "listed": [order.pk],
    }


def test_the_same_key_twice_is_one_order(program: Program) -> None:
    seen = program.run("replay")
    order = Order.objects.get()
    assert seen == {
        "statuses": [201, 201],
        "ids": [order.pk, order.pk],
        "replayed": [None, "true"],
    }


def test_a_refusal_comes_as_the_envelope(program: Program) -> None:
    seen = program.run("refusal")
    assert "reference" in seen.pop("message")
    assert seen == {
        "status": 400,
        "success": False,
        "code": "VALIDATION_ERROR",
        "field": "reference",
    }


def test_client_refunds_a_part_of_a_payment(program: Program) -> None:
    assert program.run("refund") == {
        "paid": ["COMPLETED", True],
        "asked": [20000, "PENDING"],
        "done": "COMPLETED",
        "read": "COMPLETED",
        "listed": [True],
    }
    assert Refund.objects.get().status == "COMPLETED"


def test_client_sends_a_payout(program: Program) -> None:
    seen = program.run("payout")
    payout = Payout.objects.get()
    assert seen == {
        "balance": ["COPM", 500000],
        "made": [100000, int(payout.fee_amount), "PENDING", "bank"],
        "read": [True, None],
        "listed": [True],
    }


def test_client_reads_every_other_list(program: Program) -> None:
    seen = program.run("reads")
    assert seen["agreements"] > 0
    assert seen["operators"] > 0
    assert {name: seen[name] for name in ("statistics", "balance", "movements", "methods")} == {
        "statistics": 1,
        "balance": 1,
        "movements": 1,
        "methods": 2,
    }


def test_client_parses_a_webhook_of_a_refund(program: Program, merchant: Merchant) -> None:
    merchant.event_kinds = ["payment.partially_refunded"]
    merchant.save()
    program.run("refund")
    body = bytes(Event.objects.get(kind="payment.partially_refunded").body).decode()
    refund = Refund.objects.get()
    assert json.loads(body)["data"]["remainingAmount"] == 30025
    assert program.run("webhook", body) == [
        *("payment.partially_refunded", refund.pk, 30025, 20000)
    ]


@pytest.mark.parametrize("generated", [ATTRS], indirect=True)
def test_strict_mypy_accepts_the_program(generated: tuple[str, Path], tmp_path: Path) -> None:
    language, folder = generated
    options = ["--strict", "--config-file", os.devnull, "--cache-dir", str(tmp_path)]
    said(
        [sys.executable, "-m", "mypy", *options, PROGRAMS[language]],
        cwd=HERE,
        environment={**os.environ, "MYPYPATH": str(folder)},
    )
