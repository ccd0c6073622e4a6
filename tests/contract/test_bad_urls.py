"""URLs that no browser may be sent to: always the JSON envelope, no side effect, never a 500.

Other schemes, credentials, hosts that look like others, line breaks.
"""

from typing import Any

import pytest

from tests.contract.answers import assert_refused, check_each
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.usefixtures("no_side_effect")
WRONG_URLS = [
    "",
    "   ",
    "tienda.example",
    "http://tienda.example/",
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


def test_a_callback_url_that_no_browser_may_be_sent_to(api: ApiClient) -> None:
    def check(url: Any) -> None:
        response = api.post("/collect", order_body(callbackUrl=url))
        assert_refused(response, 400, "VALIDATION_ERROR", "callbackUrl")

    check_each([*WRONG_URLS, 5, True, ["https://tienda.example/"], {}], check)
