"""What `make run` prints once the service is ready: addresses, logins, an order to try."""

import json
import shlex
import textwrap
from pathlib import Path
from typing import Any

from config.devstack.chains import BLOCK_SECONDS
from config.devstack.chains.servers import running_chains
from config.devstack.fakes import running_fakes
from config.devstack.options import PROJECT, Options

RECEIVER_PORT = 9000
RECEIVER = f"http://localhost:{RECEIVER_PORT}/"
ORDER = {
    "amount": 50000,
    "customerName": "María Gómez",
    "customerEmail": "maria@example.com",
    "customerDocType": "CC",
    "customerDocNumber": "1020304050",
    "description": "Pedido de prueba",
}


def banner(options: Options, seconds: float) -> str:
    url = options.public_url
    lines = f"""
    Ready in {seconds:.1f} s. Ctrl-C stops everything; the data stays in {options.data_dir}

      API      {url}/api/v1
      Guide    {url}/docs/guides/accept-a-payment
      Docs     {url}/docs
      Console  {url}/admin/
      Logs     {options.logs}
    """
    text = textwrap.dedent(lines)
    demo = read_demo(options.data_dir)
    text += _fake_lines(options) + _chain_lines(options)
    return text + (_demo_lines(demo, options) if demo else "")


def _chain_lines(options: Options) -> str:
    if not (chains := running_chains(options)):
        return ""
    pages = "\n".join(f"    {name:8} {url}" for name, url in chains.items())
    return f"""
  Local chains of Ethereum's (anvil) and Bitcoin's kind (bcoin), with JSON-RPC at
{pages}
  A payment gets its first block within {BLOCK_SECONDS} s.
  To pay an order in a coin, choose Ethereum (local) or Bitcoin Regtest on its page, and write
  the coin (BTC, ETH, USDT, USDC), the address and the amount of the page behind this:

{_data_dir(options)}.venv/bin/python -m config.devstack.chains.pay COIN ADDRESS AMOUNT
"""


def _fake_lines(options: Options) -> str:
    if not (fakes := running_fakes(options)):
        return ""
    pages = "\n".join(f"    {name:19} {each['control']}" for name, each in fakes.items())
    return f"""
  Rails are FAKE: PSE, Nequi and Bancolombia go to a fake Wompi, payouts to a fake of its payouts.
  Pages with what each saw; tests/rails/fake_server/__init__.py tells how to control it:
{pages}
"""


def read_demo(data_dir: Path) -> dict[str, Any] | None:
    try:
        demo: dict[str, Any] = json.loads((data_dir / "demo.json").read_text())
    except FileNotFoundError:
        return None
    return demo


def _demo_lines(demo: dict[str, Any], options: Options) -> str:
    operator = demo["operator"]
    warning = "" if demo.get("webhookUrl") else _no_webhook_url(demo, options)
    return f"""
  Operator's login    {operator["username"]} / {operator["password"]}
  Demo merchant       {demo["merchantId"]}
    X-Api-Key         {demo["apiKey"]}
    X-Api-Secret      {demo["apiSecret"]}
    webhook secret    {demo["webhookSecret"]}
    webhook URL       {demo.get("webhookUrl") or "NONE"}
{warning}
An order; open its collectUrl in a browser and pay:

{order_command(demo, options.public_url)}
"""


def _no_webhook_url(demo: dict[str, Any], options: Options) -> str:
    given = _data_dir(options)
    page = f"{options.public_url}/admin/merchants/merchant/{demo['merchantId']}/change/"
    return f"""
!!! NO WEBHOOK URL: paid orders are not reported. Events wait until there is one.
!!! A receiver to try; in another terminal, in this directory:

WEBHOOK_SECRET={demo["webhookSecret"]} PORT={RECEIVER_PORT} python3 examples/receivers/receiver.py

!!! Then set the URL; waiting events are sent at once:

{given}.venv/bin/python manage.py set_webhook_url {demo["merchantId"]} {RECEIVER}

!!! Or start with it:  make run WEBHOOK_URL={RECEIVER}
!!! Or in the console: More > Set the webhook URL (Más > Fijar la URL de webhooks) on
!!! {page}
"""


def _data_dir(options: Options) -> str:
    """What a command needs before it, if the stack has not the usual directory."""
    usual = PROJECT / ".data"
    return "" if options.data_dir == usual else f"DATA_DIR={shlex.quote(str(options.data_dir))} "


def order_command(demo: dict[str, Any], url: str) -> str:
    """A shell command. Without its first line it returns the same order again."""
    body = json.dumps(ORDER, ensure_ascii=False)[1:]
    return (
        "REFERENCE=pedido-$(date +%s)\n"
        f"curl -sS {url}/api/v1/collect \\\n"
        f"  -H 'X-Api-Key: {demo['apiKey']}' \\\n"
        f"  -H 'X-Api-Secret: {demo['apiSecret']}' \\\n"
        f"  -H 'Content-Type: application/json' \\\n"
        '  -H "Idempotency-Key: order-$REFERENCE" \\\n'
        f"""  -d '{{"reference": "'$REFERENCE'", {body}'"""
    )
