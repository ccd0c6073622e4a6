"""URLs that no browser may be sent to: always the JSON envelope, no side effect, never a 500.

Other schemes, credentials, hosts that look like others, line breaks.
"""

from typing import Any

import pytest

from tests.contract.answers import assert_refused, check_each
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient

WRONG_URLS = [
    "",
    "   ",
    "tienda.example",
    "http://tienda.example/",
    "http://localhost.evil.example/",
    "http://localhost@evil.example/",
    "http://127.0.0.1.evil.example/",
    "http://127.0.0.1:0/",
    "http://localhost\n/",
    "HTTP://localhost/",
    "http://[::1]/",
    "http://10.0.0.1/",
    "HTTPS://tienda.example/",
    "ftp://tienda.example/",
    "javascript:alert(1)",
    "https:javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "//tienda.example/",
    "/volver",
    "https:/tienda.example",
    "https:///tienda.example",
    "https://",
    "https://?x",
    "https://:443/",
    "https://user@tienda.example/",
    "https://user:pass@tienda.example/",
    "https://tienda.example@evil.example/",
    "https://tienda.example%40evil.example/",
    "https://tienda.example\\@evil.example/",
    "https://tienda.example\\.evil.example/",
    "https:\\\\tienda.example/",
    "https://tienda.example:0/",
    "https://tienda.example:99999/",
    "https://tienda.example:x/",
    "https://tienda.example/a b",
    "https://tienda.example/a\tb",
    "https://tienda.example/\r\nSet-Cookie: a=b",
    " https://tienda.example/",
    "https://tienda.example/\u0000",
    "https://tienda.example/\u2028",
    'https://tienda.example/"onload="x',
    "https://tienda.example/<script>",
    "https://-tienda.example/",
    "https://tienda..example/",
    "https://[::1/",
    "https://[tienda.example]/",
    "https://tienda.example/" + "x" * 1978,  # 2,001 characters
    "https://tienda.example/" + "x" * 8000,
]


@pytest.mark.usefixtures("no_side_effect")
def test_a_callback_url_that_no_browser_may_be_sent_to(api: ApiClient) -> None:
    def check(url: Any) -> None:
        response = api.post("/collect", order_body(callbackUrl=url))
        assert_refused(response, 400, "VALIDATION_ERROR", "callbackUrl")

    check_each([*WRONG_URLS, 5, True, ["https://tienda.example/"], {}], check)


LOCAL = ["http://localhost", "http://localhost:3000/thanks?x=1", "http://127.0.0.1:8080/#done"]


def test_a_sandbox_leads_to_the_developers_own_machine(api: ApiClient) -> None:
    for number, url in enumerate(LOCAL):
        made = api.post("/collect", order_body(reference=f"L-{number}", callbackUrl=url))
        assert made.status_code == 201, url
        order = made.body["data"]["id"]
        assert api.get(f"/collect/{order}").body["data"]["callbackUrl"] == url


@pytest.mark.usefixtures("no_side_effect")
def test_where_money_is_real_only_https_leads_back(api: ApiClient, settings: Any) -> None:
    settings.SANDBOX = False

    def check(url: str) -> None:
        refused = api.post("/collect", order_body(callbackUrl=url))
        assert_refused(refused, 400, "VALIDATION_ERROR", "callbackUrl")

    check_each(LOCAL, check)
