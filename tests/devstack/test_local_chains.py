"""`make run CHAINS=local`: orders are paid in coins from a shell, and a real chain is read."""

import re
import subprocess
import time
from pathlib import Path

import pytest

from config.devstack.banner import ORDER
from config.devstack.demo.browser import Browser
from config.devstack.demo.scenario import PAYER
from config.devstack.options import read_options
from config.devstack.process import StackError
from config.devstack.valkey import free_port
from tests.chains.eip681 import parse
from tests.chains.nodes.packages import npm_package
from tests.devstack.test_started import Started, data_dir, running, seconds_until  # noqa: F401

COINS = ("USDT", "USDC", "ETH")


def ordered_in(coin: str, service: Started) -> tuple[str, str, int]:
    """The order, and the address and the units that its page asks for."""
    body = {**ORDER, "reference": f"{coin}-{time.time_ns()}"}
    order = service.call("POST", "/collect", body)
    browser = Browser()
    page = browser.open(f"{order['collectUrl']}/crypto")
    choice = {**PAYER, "coin": f"{coin}-ethereum"}
    page = browser.send(page, page.form_with("coin"), choice)
    found = re.search(r'ethereum:[^"\s<]+', page.html)
    assert found, page.html
    link = parse(found[0].replace("&amp;", "&"))
    if coin == "ETH":
        return order["id"], link.target, link.number("value")
    return order["id"], link.parameters["address"], link.number("uint256")


def pay(coin: str, banner: str, address: str, units: int) -> None:
    """By the command that the banner prints for the coin."""
    command = banner.split(f"# {coin}\n")[1].splitlines()[0]
    shell = f"ADDRESS={address} UNITS={units}\n{command}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=True)
    assert '"result":"0x' in done.stdout, done


def test_order_in_each_coin_is_paid_from_a_shell_and_completed(
    data_dir: Path,  # noqa: F811
) -> None:
    npm_package("@foundry-rs/anvil-linux-amd64")
    with running(data_dir, free_port(), CHAINS="local") as service:
        orders = {coin: ordered_in(coin, service) for coin in COINS}
        for coin, (_, address, units) in orders.items():
            pay(coin, service.banner, address, units)

        for order_id, _, _ in orders.values():
            path = f"/collect/{order_id}"
            seconds_until(lambda path=path: service.call("GET", path)["status"], "COMPLETED")


def test_other_chains_are_refused_before_anything_starts() -> None:
    with pytest.raises(StackError, match="CHAINS=main"):
        read_options({"CHAINS": "main"})
