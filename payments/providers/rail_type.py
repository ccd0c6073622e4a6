"""The type of a provider that operators connect by accounts: docs/recipes/rail.md."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.utils.functional import Promise
from django.utils.module_loading import import_string

from payments.providers.account import CheckLine, Credential, RailAccount
from payments.providers.declaration import RailDeclaration


@dataclass(frozen=True, slots=True, kw_only=True)
class RailType:
    """
    code               of the provider: `wompi`. Accounts have slugs of their own.
    about              what it is for and what an operator needs for it, in a sentence or two.
    credentials        what an operator enters, in the order of the form.
    check_credentials  raises InvalidCredentials, without a network: for the wrong environment, a
                       private key where a public one belongs, a missing value.
    declare            the rail of one account; its code is the slug of the account.
    check              calls the rail: `manage.py rail_check`.
    is_own_node        its address is that of a node that the operator runs, perhaps in our own
                       network. There is no address of the provider.
    sends_callbacks    False where files take the place of a provider that calls us.
    """

    code: str
    label: str | Promise
    about: str | Promise = ""
    credentials: tuple[Credential, ...]
    check_credentials: Callable[[RailAccount], None]
    declare: Callable[[RailAccount], RailDeclaration]
    check: Callable[[RailAccount], Iterator[CheckLine]]
    is_own_node: bool = False
    sends_callbacks: bool = True


def rail_types() -> Mapping[str, RailType]:
    """The types of settings.RAIL_TYPES, by their codes."""
    return {one.code: one for one in map(_import, settings.RAIL_TYPES)}


@cache
def _import(path: str) -> RailType:
    found: RailType = import_string(path)
    return found
