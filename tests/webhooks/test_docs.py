"""The code that the guide gives to developers accepts what we send, and only that.

Standard Webhooks is tried in tests/guides; here it is the service's own signature, the last code.
"""

import base64
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from payments.core import clock
from webhooks import signing
from webhooks.models import Failure

DOCS = Path(__file__).parents[2] / "docs"
DOCUMENT, GUIDE = DOCS / "webhooks.md", DOCS / "guides" / "en" / "webhooks.md"
SECRET = "whsec_dGhpcyBpcyBhIHNlY3JldCBvZiAzMiBieXRlcyBsb25n"
BODY = '{"event":"payment.completed","data":{"reference":"ñ ☕","amount":50025}}'
Verify = Callable[[dict[str, str], str, str], bool]


def code(language: str) -> str:
    blocks = re.findall(rf"^```{language}\n(.*?)^```", GUIDE.read_text(), re.DOTALL | re.MULTILINE)
    return str([block for block in blocks if "genuine" in block.lower()][-1])


def in_python(headers: dict[str, str], body: str, secret: str) -> bool:
    names: dict[str, Callable[..., bool]] = {}
    exec(code("python"), names)  # noqa: S102  it is our own document
    return names["is_genuine"](headers, body.encode(), secret)


def answer_of(program: str, *arguments: str) -> bool:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed: this example of the document is not tried")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip() == "true"


def in_node(headers: dict[str, str], body: str, secret: str) -> bool:
    lowered = {name.lower(): value for name, value in headers.items()}
    call = (
        f"isGenuine({json.dumps(lowered)}, Buffer.from({json.dumps(body)}), {json.dumps(secret)})"
    )
    return answer_of("node", "-e", f"{code('javascript')}\nconsole.log({call});")


def in_php(headers: dict[str, str], body: str, secret: str) -> bool:
    server = {f"HTTP_{n.upper().replace('-', '_')}": value for n, value in headers.items()}
    given = (base64.b64encode(json.dumps(value).encode()).decode() for value in (server, body))
    values = ", ".join(f"json_decode(base64_decode('{value}'), true)" for value in given)
    call = f"var_export(is_genuine({values}, '{secret}'));"
    return answer_of("php", "-r", f"{code('php').removeprefix('<?php')}\n{call}")


@pytest.mark.parametrize("verify", [in_python, in_node, in_php])
def test_the_example_accepts_what_we_send_and_nothing_else(verify: Verify) -> None:
    def headers(age_seconds: float = 0) -> dict[str, str]:
        at = clock.now() - timedelta(seconds=age_seconds)
        return signing.headers(
            event_id="evt_1", attempt=1, body=BODY.encode(), secret=SECRET, at=at
        )

    assert verify(headers(), BODY, SECRET)
    assert verify(headers(age_seconds=290), BODY, SECRET)
    assert not verify(headers(age_seconds=301), BODY, SECRET)
    assert not verify(headers(), BODY + " ", SECRET)
    assert not verify(headers(), BODY, SECRET + "A")
    assert not verify(headers() | {"X-Service-Timestamp": "1e15"}, BODY, SECRET)
    assert not verify(headers() | {"X-Service-Timestamp": ""}, BODY, SECRET)
    assert not verify(headers() | {"X-Service-Signature": "sha256=ñ"}, BODY, SECRET)
    assert not verify({}, BODY, SECRET)


def test_the_document_names_every_failure_code() -> None:
    text = DOCUMENT.read_text()
    assert [code for code in Failure.values if f"`{code}`" not in text] == []
