"""Reads the deployment's declaration of provider accounts and routes (docs/rails.md).

A refusal names the entry and the field. It never repeats what stands in the file, because that
may be a secret in the wrong place.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

from payments.core import jsontext
from payments.providers.account import FLAG_ON, Mode
from payments.providers.rail_type import rail_types
from payments.rails.models import SLUG_PATTERN, product_choices
from payments.rails.services.accounts import NewAccount
from payments.rails.services.private_keys import is_private

ACCOUNT_KEYS = ("name", "provider", "label", "mode", "baseUrl", "enabled", "credentials")
ROUTE_KEYS = (
    *("name", "product", "account", "priority", "method", "currency", "merchant"),
    *("minAmount", "maxAmount", "enabled"),
)
LOWEST_PRIORITY = 32767
CREDENTIAL_MAX = 500


class DeclarationRefused(Exception):
    """The message is for the log of a deployment, and holds no value of the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredAccount:
    """`digest` changes with each change of the entry."""

    new: NewAccount
    is_enabled: bool
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredRoute:
    """`values` are fields of Route."""

    name: str
    values: Mapping[str, Any]
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    accounts: Sequence[DeclaredAccount] = field(default=(), repr=False)
    routes: Sequence[DeclaredRoute] = ()


def parse(text: str) -> Declaration:
    """Raises DeclarationRefused."""
    try:
        jsontext.check_depth(text)
        found = json.loads(
            text,
            parse_float=Decimal,
            parse_constant=_refuse_constant,
            object_pairs_hook=_once,
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise DeclarationRefused(f"It is not valid JSON: {where}.") from None
    # A number of 5,000 digits, an exponent of 20, 100,000 brackets.
    except (ValueError, ArithmeticError):
        raise DeclarationRefused("It is not valid JSON.") from None
    if not isinstance(found, dict) or not found.keys() <= {"accounts", "routes"}:
        raise DeclarationRefused("It is no JSON object with `accounts` and `routes`.")
    return Declaration(
        accounts=[_account(entry) for entry in _entries(found, "accounts", ACCOUNT_KEYS)],
        routes=[_route(entry) for entry in _entries(found, "routes", ROUTE_KEYS)],
    )


class _Entry:
    """One object of the file, with the place that messages name."""

    def __init__(self, kind: str, number: int, given: Any, keys: Sequence[str]) -> None:
        self.where = f"Entry {number} of `{kind}`"
        if not isinstance(given, dict):
            self.refuse("it is no JSON object")
        if _holds_private_key(given):
            self.refuse("it holds the private key, or the words, of a wallet")
        self.given: dict[str, Any] = given
        if not given.keys() <= set(keys):
            self.refuse(f"it has an unknown key. Known: {', '.join(keys)}")
        self.name = self.text("name")
        if not SLUG_PATTERN.match(self.name):
            self.refuse("`name` has lower-case letters, digits and dashes, 30 at most")
        self.where = f"{kind} {self.name}"

    def refuse(self, problem: str) -> NoReturn:
        raise DeclarationRefused(f"{self.where}: {problem}.")

    def text(self, key: str, default: str | None = None, *, among: Sequence[str] = ()) -> str:
        found = self.given.get(key, default)
        if not isinstance(found, str) or (default is None and not found.strip()):
            self.refuse(f"`{key}` is missing, or no text")
        if not found.isprintable():
            self.refuse(f"`{key}` has characters that cannot be printed")
        if among and found not in among:
            self.refuse(f"`{key}` is none of: {', '.join(among)}")
        return found

    def flag(self, key: str) -> bool:
        """True if it is not given."""
        found = self.given.get(key, True)
        if not isinstance(found, bool):
            self.refuse(f"`{key}` is neither true nor false")
        return found

    def whole(self, key: str, default: int, most: int) -> int:
        found = self.given.get(key, default)
        if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found <= most:
            self.refuse(f"`{key}` is no whole number from 0 to {most}")
        return found

    def amount(self, key: str) -> Decimal | None:
        found = self.given.get(key)
        if found is None:
            return None
        try:
            amount = Decimal(found) if isinstance(found, int | str | Decimal) else Decimal("nan")
        except InvalidOperation:
            amount = Decimal("nan")
        if isinstance(found, bool) or not amount.is_finite() or amount < 0:
            self.refuse(f"`{key}` is no amount")
        return amount

    @property
    def digest(self) -> str:
        plain = json.dumps(self.given, sort_keys=True, default=str)
        return hashlib.sha256(plain.encode()).hexdigest()


def _holds_private_key(given: Any) -> bool:
    """Also where it does not belong, such as in a label or in a key of the object."""
    if isinstance(given, Mapping):
        return any(_holds_private_key(each) for pair in given.items() for each in pair)
    if isinstance(given, list):
        return any(map(_holds_private_key, given))
    return isinstance(given, str) and is_private(given, is_prose=True)


def _entries(found: Mapping[str, Any], kind: str, keys: Sequence[str]) -> list[_Entry]:
    listed = found.get(kind, [])
    if not isinstance(listed, list):
        raise DeclarationRefused(f"`{kind}` is no list.")
    entries = [_Entry(kind, number, given, keys) for number, given in enumerate(listed, 1)]
    names = [entry.name for entry in entries]
    for name in names:
        if names.count(name) > 1:
            raise DeclarationRefused(f"{kind} {name}: this name is there more than once.")
    return entries


def _account(entry: _Entry) -> DeclaredAccount:
    provider = entry.text("provider", among=list(rail_types()))
    mode = entry.text("mode", among=list(Mode))
    new = NewAccount(
        slug=entry.name,
        provider=provider,
        label=entry.text("label", entry.name),
        mode=mode,
        base_url=entry.text("baseUrl", ""),
        credentials=_credentials(entry, provider),
    )
    return DeclaredAccount(new=new, is_enabled=entry.flag("enabled"), digest=entry.digest)


def _credentials(entry: _Entry, provider: str) -> dict[str, str]:
    """Optional ones may be missing; all others are there."""
    known = rail_types()[provider].credentials
    names = {one.name for one in known}
    needed = {one.name for one in known if not one.is_optional}
    given = entry.given.get("credentials")
    if not isinstance(given, dict) or not needed <= set(given) <= names:
        listed = ", ".join(one.name + " (optional)" * one.is_optional for one in known)
        entry.refuse(f"`credentials` is no object with exactly: {listed}")
    flags = {one.name for one in known if one.is_flag}
    given = {name: _as_text(value, name in flags) for name, value in given.items()}
    for name, value in given.items():
        if not isinstance(value, str) or not value.isprintable() or len(value) > CREDENTIAL_MAX:
            entry.refuse(f"the credential `{name}` is no text of at most {CREDENTIAL_MAX} letters")
    return {one.name: given.get(one.name, one.default) for one in known}


def _as_text(value: Any, is_flag: bool) -> Any:
    """A flag is true or false in the file."""
    if is_flag and isinstance(value, bool):
        return FLAG_ON if value else ""
    return value


def _route(entry: _Entry) -> DeclaredRoute:
    values = {
        "product": entry.text("product", among=[name for name, _label in product_choices()]),
        "account": entry.text("account"),
        "priority": entry.whole("priority", 100, LOWEST_PRIORITY),
        "method": entry.text("method", ""),
        "currency": entry.text("currency", ""),
        "merchant_id": entry.text("merchant", "") or None,
        "min_amount": entry.amount("minAmount"),
        "max_amount": entry.amount("maxAmount"),
        "is_enabled": entry.flag("enabled"),
    }
    return DeclaredRoute(name=entry.name, values=values, digest=entry.digest)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _value in pairs}) != len(pairs):
        raise DeclarationRefused("It has an object with the same key twice.")
    return dict(pairs)


def _refuse_constant(_constant: str) -> NoReturn:
    raise DeclarationRefused("It has NaN or Infinity.")
