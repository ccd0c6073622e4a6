"""`make run CHAINS=local`: orders are paid in coins from a shell, and real chains are read."""

import re
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from config.devstack.banner import ORDER
from config.devstack.chains import install, servers
from config.devstack.demo.browser import Browser, Page
from config.devstack.demo.scenario import PAYER
from config.devstack.options import PROJECT, read_options
from config.devstack.process import StackError
from config.devstack.valkey import free_port
from tests.chains.eip681 import parse
from tests.chains.nodes.packages import npm_package
from tests.devstack.test_bare_machine import bare_environment
from tests.devstack.test_started import Started, running, seconds_until

# The demo pays in the others, too.
NETWORKS = {"BTC": "bitcoin-regtest", "USDT": "ethereum"}
TOKEN_DECIMALS = 6


def ordered_in(coin: str, service: Started) -> tuple[str, str, Decimal]:
    """The order, and the address and the amount that the link of its page asks for."""
    body = {**ORDER, "reference": f"{coin}-{time.time_ns()}"}
    order = service.call("POST", "/collect", body)
    browser, choice = Browser(), f"{coin}-{NETWORKS[coin]}"
    page = page_that_offers(choice, browser, f"{order['collectUrl']}/crypto")
    page = browser.send(page, page.form_with("coin"), {**PAYER, "coin": choice})
    found = re.search(r'(bitcoin|ethereum):[^"\s<]+', page.html)
    assert found, page.html
    return order["id"], *asked_for(coin, found[0].replace("&amp;", "&"))


def page_that_offers(choice: str, browser: Browser, url: str) -> Page:
    """A chain is offered after the first look at it."""

    def is_offered() -> str:
        nonlocal page
        page = browser.open(url)
        return str(page.form_with("coin").can_send("coin", choice))

    page = Page(url=url, status=0, html="")
    seconds_until(is_offered, "True")
    return page


def asked_for(coin: str, uri: str) -> tuple[str, Decimal]:
    if coin == "BTC":
        link = urlsplit(uri)
        return link.path, Decimal(parse_qs(link.query)["amount"][0])
    request = parse(uri)
    units = Decimal(request.number("uint256"))
    return request.parameters["address"], units.scaleb(-TOKEN_DECIMALS)


def pay(coin: str, banner: str, address: str, amount: Decimal) -> None:
    """By the command that the banner prints."""
    printed = next(line for line in banner.splitlines() if line.endswith("COIN ADDRESS AMOUNT"))
    command = printed.removesuffix("COIN ADDRESS AMOUNT") + f"{coin} {address} {amount:f}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=PROJECT)
    assert done.returncode == 0, done
    assert re.fullmatch(r"(0x)?[0-9a-f]{64}\n", done.stdout), done


def wait_for_completion(service: Started, order_id: str) -> None:
    seconds_until(lambda: service.call("GET", f"/collect/{order_id}")["status"], "COMPLETED")


@pytest.mark.slow
def test_orders_in_coins_are_paid_from_a_shell_and_completed_also_after_a_restart(
    migrated_dir: Path,
) -> None:
    for package in ("@foundry-rs/anvil-linux-amd64", "bcoin"):
        npm_package(package)
    port = free_port()
    with running(migrated_dir, port, CHAINS="local", WEB_WORKERS="1") as service:
        orders = {coin: ordered_in(coin, service) for coin in NETWORKS}
        for coin, (_, address, amount) in orders.items():
            pay(coin, service.banner, address, amount)
        for order_id, _, _ in orders.values():
            wait_for_completion(service, order_id)
        waiting = ordered_in("BTC", service)

    with running(migrated_dir, port, CHAINS="local", WEB_WORKERS="1") as service:
        pay("BTC", service.banner, *waiting[1:])
        wait_for_completion(service, waiting[0])


@pytest.mark.slow
def test_the_demo_pays_an_order_in_each_coin() -> None:
    for package in ("@foundry-rs/anvil-linux-amd64", "bcoin"):
        npm_package(package)
    done = subprocess.run(
        [sys.executable, "-m", "config.devstack.demo"],
        cwd=PROJECT,
        env={**bare_environment(), "CHAINS": "local"},
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done
    assert done.stdout.count("COMPLETED by CRYPTO") == 4, done.stdout


def test_other_chains_are_refused_before_anything_starts() -> None:
    with pytest.raises(StackError, match="CHAINS=main"):
        read_options({"CHAINS": "main"})


def test_missing_nodes_are_named_before_anything_starts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    options = read_options({"CHAINS": "local"})
    monkeypatch.setattr(install, "STAMP", tmp_path / "installed")
    monkeypatch.setattr(servers.shutil, "which", lambda name: f"/usr/bin/{name}")
    with pytest.raises(StackError, match="make nodes"):
        servers.refuse_missing_programs(options)

    monkeypatch.setattr(servers.shutil, "which", lambda name: None)
    with pytest.raises(StackError, match="apt install npm"):
        servers.refuse_missing_programs(options)
