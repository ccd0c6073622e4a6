"""The addresses of rails that operators enter: credentials and real money go there."""

from django.conf import settings
from django.utils.translation import gettext

from merchants.url_safety import UnsafeUrl, check_url
from payments.providers.account import Mode
from payments.rails.services.errors import AddressRefused


def check_address(*, mode: str, base_url: str) -> None:
    """Empty is the provider's own address. Resolves no name. Raises AddressRefused.

    A sandbox account of a sandbox may lead to a fake rail: over http, and in our own network.
    """
    if not base_url:
        return
    is_play = mode == Mode.SANDBOX and settings.SANDBOX
    may_be_near = is_play or settings.RAIL_ALLOW_PRIVATE
    try:
        url = check_url(base_url, allow_private=may_be_near, any_port=True)
    except UnsafeUrl as error:
        raise AddressRefused(values={"problem": _problem(error)}) from error
    if url.scheme != "https" and not may_be_near:
        raise AddressRefused(values={"problem": gettext("It must begin with https://.")})
    if url.query_string or url.fragment:
        raise AddressRefused(
            values={"problem": gettext("It must end with its path, without ? or #.")}
        )


def _problem(error: UnsafeUrl) -> str:
    if error.code == "BLOCKED_ADDRESS":
        return gettext("It is in a private network.")
    return "".join(error.messages)
