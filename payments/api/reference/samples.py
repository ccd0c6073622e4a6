"""An example of the reference as programs in Node.js, Python and PHP.

They need no package but Python's `requests`, and read keys and ids of earlier responses from the
environment, as the shell's variables of the curl examples do.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from payments.api import idempotency
from payments.api.reference.parts import Example
from payments.api.reference.requests import NOW, Keys, Operation, curl

SECONDS = 30
_PIECE = re.compile(r"<(\w+)>")
_NUMBER = re.compile(r"<#(\w+)>")
_IN_PATH = re.compile(r"{(\w+)}")


@dataclass(frozen=True, slots=True)
class Sample:
    slug: str
    language: str
    code: str


@dataclass(frozen=True, slots=True)
class _Syntax:
    """How a language writes values. `text` joins quoted texts and names of variables."""

    name: Callable[[str], str]
    text: Callable[[list[tuple[bool, str]]], str]
    constants: dict[object, str]
    number: str
    # A field and its value, the brackets of an object, and the indentation.
    pair: str = '"{}": {}'
    braces: str = "{}"
    step: str = "    "


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    url: str
    headers: list[tuple[str, str]]
    body: str
    variables: list[tuple[str, str]]
    is_json: bool


def samples(
    example: Example, operation: Operation, base_url: str, keys: Keys, *, is_json: bool
) -> tuple[Sample, ...]:
    """`is_json` is whether the response is JSON, and not a file or a page."""

    def request(syntax: _Syntax, environment: str) -> _Request:
        return _request(example, operation, base_url, keys, (syntax, environment, is_json))

    return (
        Sample("curl", "curl", curl(example, operation, base_url, keys)),
        Sample("node", "Node.js", _node(request(NODE, "process.env.{}"))),
        Sample("python", "Python", _python(request(PYTHON, 'os.environ["{}"]'))),
        Sample("php", "PHP", _php(request(PHP, 'getenv("{}")'))),
    )


def _node(request: _Request) -> str:
    lines = [f"const {name} = {value};" for name, value in request.variables]
    options = [f'method: "{request.method}"', "headers: {\n" + _listed(request.headers) + "  }"]
    options += [f"body: JSON.stringify({request.body})"] if request.body else []
    options += [f"signal: AbortSignal.timeout({SECONDS}_000)"]
    shown = "".join(f"  {option},\n" for option in options)
    lines += [f"const response = await fetch({request.url}, {{\n{shown}}});"]
    what = "json" if request.is_json else "text"
    return "\n".join([*lines, f"console.log(response.status, await response.{what}());"])


def _python(request: _Request) -> str:
    lines = [f"{name} = {value}" for name, value in request.variables]
    arguments = [request.url]
    arguments += ["headers={\n" + _listed(request.headers, indent="        ") + "    }"]
    arguments += [f"json={request.body}"] if request.body else []
    arguments += [f"timeout={SECONDS}"]
    shown = "".join(f"    {argument},\n" for argument in arguments)
    lines += [f"response = requests.{request.method.lower()}(\n{shown})"]
    what = "response.json()" if request.is_json else "response.text"
    code = "\n".join([*lines, f"print(response.status_code, {what})"])
    imports = ["import os", "", "import requests", ""] if "os." in code else ["import requests", ""]
    return "\n".join([*imports, code])


def _php(request: _Request) -> str:
    lines = ["<?php", *(f"{name} = {value};" for name, value in request.variables)]
    options = [("CURLOPT_CUSTOMREQUEST", f'"{request.method}"')]
    options += [("CURLOPT_RETURNTRANSFER", "true"), ("CURLOPT_TIMEOUT", str(SECONDS))]
    headers = "".join(f"        {_php_header(*each)},\n" for each in request.headers)
    options += [("CURLOPT_HTTPHEADER", f"[\n{headers}    ]")]
    options += [("CURLOPT_POSTFIELDS", f"json_encode({request.body})")] if request.body else []
    shown = "".join(f"    {name} => {value},\n" for name, value in options)
    lines += [f"$curl = curl_init({request.url});", f"curl_setopt_array($curl, [\n{shown}]);"]
    lines += ["$answer = curl_exec($curl);"]
    what = "json_decode($answer)" if request.is_json else "$answer"
    return "\n".join([*lines, f"print_r([curl_getinfo($curl, CURLINFO_HTTP_CODE), {what}]);"])


def _php_header(name: str, value: str) -> str:
    return f'"{name}: {value[1:]}' if value.startswith('"') else f'"{name}: " . {value}'


def _request(
    example: Example,
    operation: Operation,
    base_url: str,
    keys: Keys,
    shape: tuple[_Syntax, str, bool],
) -> _Request:
    syntax, environment, is_json = shape
    path = _IN_PATH.sub(lambda found: example.path[found[1]], operation.path)
    query = f"?{urlencode(example.query)}" if example.query else ""
    key = f'"{keys.key}"' if keys.key else environment.format("API_KEY")
    secret = f'"{keys.secret}"' if keys.secret else environment.format("API_SECRET")
    headers = [("X-Api-Key", key), ("X-Api-Secret", secret)]
    if example.idempotency_key:
        headers.append((idempotency.HEADER, _text(example.idempotency_key, syntax)))
    if example.body is not None:
        headers.append(("Content-Type", '"application/json"'))
    body = "" if example.body is None else _literal(example.body, syntax, syntax.step)
    return _Request(
        operation.method,
        _text(base_url + path + query, syntax),
        headers,
        body,
        [
            (syntax.name(name), _value(example, name, syntax, environment))
            for name in _names(f"{path}{example.body}{example.idempotency_key}")
        ],
        is_json,
    )


def _value(example: Example, name: str, syntax: _Syntax, environment: str) -> str:
    if name in example.sets:
        return _text(example.sets[name].replace("<now>", NOW), syntax)
    return environment.format(name)


def _names(used: str) -> list[str]:
    return list(dict.fromkeys(re.findall(r"<#?(\w+)>", used)))


def _listed(headers: list[tuple[str, str]], indent: str = "    ") -> str:
    return "".join(f'{indent}"{name}": {value},\n' for name, value in headers)


def _literal(value: object, syntax: _Syntax, indent: str) -> str:
    """JSON as a value of the language. Its last line has the indentation."""
    inner = indent + syntax.step
    if isinstance(value, dict):
        items = ((name, _literal(item, syntax, inner)) for name, item in value.items())
        return _block(syntax.braces, [syntax.pair.format(*item) for item in items], syntax, indent)
    if isinstance(value, list):
        return _block("[]", [_literal(item, syntax, inner) for item in value], syntax, indent)
    if isinstance(value, str):
        found = _NUMBER.fullmatch(value)
        return syntax.number.format(syntax.name(found[1])) if found else _text(value, syntax)
    if value is None or isinstance(value, bool):
        return syntax.constants[value]
    return json.dumps(value)


def _block(braces: str, rows: list[str], syntax: _Syntax, indent: str) -> str:
    inner = "".join(f"{indent}{syntax.step}{row},\n" for row in rows)
    return f"{braces[0]}\n{inner}{indent}{braces[1]}"


def _text(value: str, syntax: _Syntax) -> str:
    pieces = [
        (index % 2 == 1, syntax.name(piece) if index % 2 else piece)
        for index, piece in enumerate(_PIECE.split(value))
        if piece
    ]
    return pieces[0][1] if [named for named, _ in pieces] == [True] else syntax.text(pieces)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _node_text(pieces: list[tuple[bool, str]]) -> str:
    if not any(named for named, _ in pieces):
        return _quoted("".join(text for _, text in pieces))
    shown = (f"${{{text}}}" if named else text.replace("`", "\\`") for named, text in pieces)
    return f"`{''.join(shown)}`"


def _python_text(pieces: list[tuple[bool, str]]) -> str:
    if not any(named for named, _ in pieces):
        return _quoted("".join(text for _, text in pieces))
    return "f" + "".join(f"{{{text}}}" if named else text for named, text in pieces).join('""')


def _php_text(pieces: list[tuple[bool, str]]) -> str:
    shown = (
        f"{{{text}}}" if named else _quoted(text)[1:-1].replace("$", "\\$")
        for named, text in pieces
    )
    return "".join(shown).join('""')


def _camel(name: str) -> str:
    first, *rest = name.lower().split("_")
    return first + "".join(word.capitalize() for word in rest)


_LOWER: dict[object, str] = {True: "true", False: "false", None: "null"}
_UPPER: dict[object, str] = {True: "True", False: "False", None: "None"}
NODE = _Syntax(_camel, _node_text, _LOWER, "Number({})", pair="{}: {}", step="  ")
PYTHON = _Syntax(str.lower, _python_text, _UPPER, "int({})")
PHP = _Syntax(
    lambda name: f"${_camel(name)}", _php_text, _LOWER, "(int) {}", pair='"{}" => {}', braces="[]"
)
