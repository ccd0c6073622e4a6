"""JSON, parsed strictly and with exact numbers, because it carries amounts of money.

Numbers with a point are `Decimal`, never float, and keep all their digits.
"""

from collections import Counter
from typing import Any, NoReturn

import simplejson
from django.conf import settings

from payments.core.text import quotable

# By the beginning of simplejson's message.
_EXPECTED = {
    "Expecting property name": "expected a key in double quotes",
    "Expecting ':'": "expected a colon",
    "Expecting ',' delimiter or '}'": "expected a comma or }",
    "Expecting ',' delimiter or ']'": "expected a comma or ]",
    "Expecting object or ']'": "expected a value or ]",
    "Expecting value": "expected a value",
    "Illegal trailing comma": "unexpected comma before the end",
    "Extra data": "unexpected text after the end",
    "Unterminated string": "this string has no end",
    "Invalid control character": "a control character must be escaped",
    "Invalid \\": "unknown escape sequence",
}


class InvalidJSON(ValueError):
    """The message can be shown to the client."""


def loads(text: bytes) -> Any:
    """UTF-8 without NaN, Infinity, duplicate keys or great depth. Raises InvalidJSON."""
    try:
        decoded = text.decode("utf-8")
        check_depth(decoded)
        return simplejson.loads(
            decoded,
            use_decimal=True,
            parse_constant=_refuse_constant,
            object_pairs_hook=_unique_keys,
        )
    except InvalidJSON:
        raise
    except UnicodeDecodeError as error:
        raise InvalidJSON("The body is not valid UTF-8.") from error
    except RecursionError as error:
        raise InvalidJSON("The body is nested too deeply.") from error
    except simplejson.JSONDecodeError as error:
        raise InvalidJSON(f"The body is not valid JSON: {_place(error)}.") from error
    except (ValueError, ArithmeticError) as error:
        raise InvalidJSON("The body is not valid JSON.") from error


def dumps(value: object) -> str:
    return simplejson.dumps(value, use_decimal=True, ensure_ascii=False, separators=(",", ":"))


def pretty(value: object) -> str:
    return simplejson.dumps(value, use_decimal=True, ensure_ascii=False, indent=2)


def raw(text: str) -> simplejson.RawJSON:
    """JSON text to be put unchanged into a larger document."""
    return simplejson.RawJSON(text)


def check_depth(text: str) -> None:
    """Raises InvalidJSON for great depth.

    To be called before a parser that recurses: it can end the process. Counts brackets outside
    strings.
    """
    if text.count("[") + text.count("{") <= settings.API_MAX_JSON_DEPTH:
        return
    depth, in_string, escaped = 0, False, False
    for char in text:
        if in_string:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                in_string = False
        elif char == '"':
            in_string = True
        elif char in "[{":
            depth += 1
            if depth > settings.API_MAX_JSON_DEPTH:
                raise InvalidJSON("The body is nested too deeply.")
        elif char in "]}":
            depth -= 1


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidJSON(f"{name} is not valid JSON.")


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        [(name, _times)] = Counter(name for name, _value in pairs).most_common(1)
        raise InvalidJSON(f'The key "{quotable(name)}" appears twice.')
    return result


def _place(error: simplejson.JSONDecodeError) -> str:
    expected = (text for start, text in _EXPECTED.items() if error.msg.startswith(start))
    place = f"line {error.lineno}, column {error.colno}"
    return f"{place}, {text}" if (text := next(expected, "")) else place
