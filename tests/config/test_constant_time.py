"""Secrets and signatures are compared in constant time (contract, Signature and Authentication).

No behaviour of ours shows it, so the source is read.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.devstack.options import PROJECT

ROOTS = ("config", "merchants", "payments", "webhooks")
# What a comparison must not name on either side.
SECRET = re.compile(r"secret|signature|token|password|passwd|hmac|api_?key", re.IGNORECASE)
# Where something that was sent is checked against a secret: there no two values are compared
# otherwise, whatever they are called. Every module that imports hmac must be here.
VERIFYING = {
    "config/devstack/demo/receiver.py",
    "config/metrics/views.py",
    "merchants/authentication.py",
    "payments/simulator/callbacks.py",
    "payments/providers/wompi/signatures.py",
    "webhooks/signing.py",
}
# Comparisons that name such a thing and give nothing away. {module: the source of the comparison}
HARMLESS = {
    # The token of a coin is its contract, which everybody may read.
    "payments/chains/scanner/finality.py": {"one.token == contract"},
    "payments/chains/scanner/matching.py": {
        "(address.account, address.token) == (chain.code, token)",
        "deposit.token != seen.token",
        "one.token == token",
    },
    "payments/chains/verification.py": {"one.token == wanted.coin.token"},
    "payments/collect/services/refunds/coin_refunds.py": {
        "token.lower() == target.lower()",
        "token == target",
    },
    "payments/providers/tron/chain.py": {"(one.target, one.token) == (target, token)"},
    "payments/providers/tron/index.py": {"_address(info.get('address')) != coin.token"},
    # Of our own settings with a word that everybody may read.
    "config/checks.py": {"settings.SIMULATOR_CALLBACK_SECRET == 'simulator-callback-secret'"},
    # The name of a form's field, not its value.
    "payments/collect/checkout/views.py": {"name != 'csrfmiddlewaretoken'"},
    # Two hashes that are both ours: whether the row changed since it was read.
    "payments/console/first_password.py": {"person.password != user.password"},
    # The parser's name for a piece of Markdown.
    "payments/api/guides/rendering.py": {
        "token.type == 'heading_open'",
        "token.tag == 'h2'",
        "tokens[index].tag == 'h3'",
    },
    # Which of two secrets signs, not the secret.
    "webhooks/endpoint_api.py": {"body['contract_signature'] == 'OLD'"},
    # Two hashes that are both ours: whether there was another rotation since.
    "webhooks/endpoint_requests.py": {"_hash(secret) != done.result['secret_hash']"},
    # Whose turn it is, as our own Redis says it.
    "payments/settlement/statement_lock.py": {
        "limits.breaker.call(lambda: cache.get(self._key)) == self._token"
    },
    "payments/console/site/login_forms.py": {"name == 'new_password1'"},
    # The name of a page.
    "payments/console/site/login_views.py": {
        "(page := _pending_step(request)) != 'admin:first_password'"
    },
    # The choice of a form: OLD or NEW.
    "webhooks/admin/endpoint_actions.py": {"form['contract_signature'] == OLD"},
}


def modules() -> list[str]:
    """Paths of all our sources, migrations aside."""
    found = (path for root in ROOTS for path in (PROJECT / root).rglob("*.py"))
    return sorted(
        str(path.relative_to(PROJECT)) for path in found if "migrations" not in path.parts
    )


def comparisons(source: str, *, is_verifying: bool) -> Iterator[str]:
    """The source of each comparison that stops at the first byte that differs."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
            continue
        sides = [node.left, *node.comparators]
        text = ast.unparse(node)
        names_a_secret = any(SECRET.search(word) for side in sides for word in _names(side))
        # Of two values that are both made while we run: a constant is no secret.
        is_of_values = not any(_is_constant(side) for side in sides)
        if names_a_secret or (is_verifying and is_of_values):
            yield text


def _names(side: ast.expr) -> Iterator[str]:
    """Names, attributes, and keys that are looked up: `row["signature"]`."""
    for node in ast.walk(side):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _is_constant(side: ast.expr) -> bool:
    is_name = isinstance(side, ast.Name) and side.id.isupper()
    return is_name or isinstance(side, ast.Constant)


def test_secrets_are_compared_in_constant_time() -> None:
    for module in modules():
        source = (PROJECT / module).read_text()
        found = set(comparisons(source, is_verifying=module in VERIFYING))
        assert found == HARMLESS.get(module, set()), f"{module}: take hmac.compare_digest"


def test_every_module_that_verifies_is_listed() -> None:
    importing = {
        module for module in modules() if re.search(r"^(import|from) hmac\b", _read(module), re.M)
    }
    assert importing <= VERIFYING <= set(modules())


@pytest.mark.parametrize(
    "planted",
    [
        "matches = hash_secret(given) == bytes(key.secret_hash)",
        "if signature != expected: raise InvalidCallback",
        "ok = row['webhook_secret'] == given",
        "if 'sha256=' + expected != headers['x-signature']: return None",
        "if not expected == given: raise InvalidCallback",
        "return digest(body) == headers.get('x')",
    ],
)
def test_a_planted_comparison_is_found(planted: str) -> None:
    source = f"def check():\n    {planted}\n"
    assert list(comparisons(source, is_verifying=True))


@pytest.mark.parametrize(
    "harmless",
    [
        "ok = hmac.compare_digest(expected, signature)",
        "if len(body) > MAX_BODY_BYTES: pass",
        "if status == 'PENDING': pass",
        "if key is None: pass",
    ],
)
def test_what_gives_nothing_away_is_let_pass(harmless: str) -> None:
    assert not list(comparisons(harmless, is_verifying=True))


def _read(module: str) -> str:
    return Path(PROJECT / module).read_text()
