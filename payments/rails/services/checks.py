"""Tests a provider account at its rail: `manage.py rail_check` and the console's button."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from django.conf import settings
from django.utils.translation import gettext

from payments.providers.account import CheckLine, Finding
from payments.rails.models import ProviderAccount
from payments.rails.services.accounts import get_rail_type, to_rail_account
from payments.rails.services.callback_urls import callback_url

REQUESTED = "requested: "


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


def callback_urls(account: ProviderAccount, now: datetime) -> dict[str, str]:
    """By product. A chain sends none."""
    rail = get_rail_type(account.provider).declare(to_rail_account(account, now))
    if rail.chain is not None:
        return {}
    return {product: callback_url(product, account.slug) for product in rail.adapters}


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
