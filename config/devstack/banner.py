"""What `make run` prints once the service is ready: where it is, who may enter, what to try."""

import json
import textwrap
from pathlib import Path
from typing import Any

from config.devstack.options import Options

ORDER = {
    "amount": 50000,
    "customerName": "María Gómez",
    "customerEmail": "maria@example.com",
    "customerDocType": "CC",
    "customerDocNumber": "1020304050",
    "description": "Pedido de prueba",
}


def banner(options: Options, seconds: float) -> str:
    """The demo lines are left out where there is no demo merchant."""
    url = options.public_url
    lines = f"""
    Ready in {seconds:.1f} s. Ctrl-C stops everything; the data stays in {options.data_dir}

      API      {url}/api/v1
      Docs     {url}/docs
      Console  {url}/admin/
      Logs     {options.logs}
    """
    text = textwrap.dedent(lines)
    demo = read_demo(options.data_dir)
    return text + (_demo_lines(demo, url) if demo else "")


def read_demo(data_dir: Path) -> dict[str, Any] | None:
    """The demo merchant's keys and the operator's login, or nothing."""
    try:
        demo: dict[str, Any] = json.loads((data_dir / "demo.json").read_text())
    except FileNotFoundError:
        return None
    return demo


def _demo_lines(demo: dict[str, Any], url: str) -> str:
    operator = demo["operator"]
    return f"""
  Operator's login    {operator["username"]} / {operator["password"]}
  Demo merchant       {demo["merchantId"]}
    X-Api-Key         {demo["apiKey"]}
    X-Api-Secret      {demo["apiSecret"]}
    webhook secret    {demo["webhookSecret"]}

An order; open its collectUrl in a browser and pay:

{order_command(demo, url)}
"""


def order_command(demo: dict[str, Any], url: str) -> str:
    """Ready to paste, also twice; without its first line again it returns the same order."""
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
