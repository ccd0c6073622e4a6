"""Tests a provider account at its rail: `manage.py rail_check` and the console's button."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from django.conf import settings
from django.utils.translation import gettext

from payments.providers.account import CheckLine, Finding
from payments.providers.declaration import RailDeclaration
from payments.rails.models import ProviderAccount
from payments.rails.services.accounts import get_rail_type, to_rail_account
from payments.rails.services.callback_urls import callback_url

REQUESTED = "requested: "
# A person compares as many with a wallet.
COMPARED = 3


def check_account(*, account: ProviderAccount, now: datetime) -> list[CheckLine]:
    """Calls the rail, so never call it inside a transaction. It changes nothing at the rail.

    Credentials that wait for approval are checked, too: their lines begin with REQUESTED.
    """
    check = get_rail_type(account.provider).check
    lines = list(check(to_rail_account(account, now)))
    if account.requested_credentials:
        credentials = json.loads(account.requested_credentials)
        requested = replace(to_rail_account(account, now), credentials=credentials)
        lines += [replace(line, subject=REQUESTED + line.subject) for line in check(requested)]
    return [*lines, *_callback_lines(account, now)]


def first_addresses(account: ProviderAccount, now: datetime) -> list[str]:
    """Of an account with a chain: where its first payments will go."""
    chain = _rail(account, now).chain
    return [chain.derive(index).text for index in range(COMPARED)] if chain else []


def callback_urls(account: ProviderAccount, now: datetime) -> dict[str, str]:
    """By product. A node sends none, and neither does a bank whose files people bring."""
    rail = _rail(account, now)
    if rail.chain is not None or not get_rail_type(account.provider).sends_callbacks:
        return {}
    return {product: callback_url(product, account.slug) for product in rail.adapters}


def _rail(account: ProviderAccount, now: datetime) -> RailDeclaration:
    return get_rail_type(account.provider).declare(to_rail_account(account, now))


def _callback_lines(account: ProviderAccount, now: datetime) -> Iterator[CheckLine]:
    is_public = settings.PUBLIC_URL.startswith("https://")
    if is_public:
        text = gettext("%s as the provider must have it; only an event shows that it arrives")
    else:
        text = gettext("%s is not an https address that the provider can reach")
    for product, url in callback_urls(account, now).items():
        yield CheckLine(
            subject=f"callback_url {product}",
            finding=Finding.UNCHECKED if is_public else Finding.FAILED,
            text=text % url,
        )
