"""Texts that are not kept: always the JSON envelope, no side effect, never a 500.

Control characters, lone surrogates, blanks; and no answer breaks with what a field holds.
"""

import pytest

from tests.contract.answers import assert_refused, check_each
from tests.contract.bad_requests import spelled
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.usefixtures("no_side_effect")
WRONG_TEXTS = {
    "NUL": r'"a\u0000b"',
    "a lone high surrogate": r'"\ud800"',
    "a lone low surrogate": r'"a\udc00"',
    "surrogates the wrong way round": r'"\udc00\ud800"',
    "CR LF": r'"a\r\nSet-Cookie: b"',
    "a tab": r'"a\tb"',
    "an escape": r'"\u001b[31m"',
    "delete": r'"a\u007f"',
    "a C1 control": r'"a\u0085b"',
    "a line break at the end": r'"a\n"',
    "a number": "5",
    "true": "true",
    "a list": '["a"]',
    "an object": '{"a":1}',
}
REQUIRED_TEXTS = ("reference", "customerName", "customerEmail", "customerDocNumber")
TEXTS = (*REQUIRED_TEXTS, "description")
BLANKS = {"empty": '""', "spaces": '"   "', "wide spaces": r'"\u3000\u00a0"', "null": "null"}


@pytest.mark.parametrize("field", TEXTS)
def test_text_that_is_not_kept(api: ApiClient, field: str) -> None:
    def check(name: str, text: str) -> None:
        response = api.post("/collect", spelled(**{field: text}))
        assert_refused(response, 400, "VALIDATION_ERROR", field)

    check_each(WRONG_TEXTS.items(), check)
    if field in REQUIRED_TEXTS:
        check_each(BLANKS.items(), check)


def test_no_field_breaks_the_answer_with_what_it_holds(api: ApiClient) -> None:
    """What cannot be written as UTF-8 must not come back in a message."""
    choices = ("currency", "customerDocType", "callbackUrl", "allowedMethods", "metadata")

    def check(field: str, value: str) -> None:
        response = api.post("/collect", spelled(**{field: value}))
        assert response.status_code == 400, response.content
        assert response.body["error"]["details"]["field"].split(".")[0] == field

    values = (r'"\ud800"', r'["\ud800"]', r'{"\ud800":1}', '"' + "9" * 5000 + '"')
    check_each([(field, value) for field in (*TEXTS, *choices) for value in values], check)
