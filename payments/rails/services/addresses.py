"""The addresses of rails that operators enter: credentials and real money go there."""

from django.conf import settings
from django.utils.translation import gettext

from merchants.url_safety import UnsafeUrl, check_url, is_blocked
from payments.providers.account import Mode
from payments.rails.services.errors import AddressRefused

# Names that resolve inside a network only.
_NEAR = (".internal", ".local", ".lan", ".svc", ".localhost")


def check_address(*, mode: str, base_url: str, is_own_node: bool = False) -> None:
    """Empty is the provider's own address. Resolves no name. Raises AddressRefused.

    A sandbox account of a sandbox may lead to a fake rail: over http, and in our own network.
    An account of a node that the operator runs always may. Outside it is https: a person who
    changes the node's answers on their way could show money that never came.
    """
    if not base_url:
        if is_own_node:
            raise AddressRefused(values={"problem": gettext("Enter the address of your node.")})
        return
    is_play = mode == Mode.SANDBOX and settings.SANDBOX
    may_be_plain = is_play or settings.RAIL_ALLOW_PRIVATE
    try:
        url = check_url(base_url, allow_private=may_be_plain or is_own_node, any_port=True)
    except UnsafeUrl as error:
        raise AddressRefused(values={"problem": _problem(error)}) from error
    may_be_plain = may_be_plain or (is_own_node and _is_near(url.host or ""))
    if url.scheme != "https" and not may_be_plain:
        raise AddressRefused(values={"problem": gettext("It must begin with https://.")})
    if url.query_string or url.fragment:
        raise AddressRefused(
            values={"problem": gettext("It must end with its path, without ? or #.")}
        )


def _is_near(host: str) -> bool:
    is_private = is_blocked(host, allow_private=False) and not is_blocked(host, allow_private=True)
    # A name of one word, such as that of a container, is known in one network only.
    is_short = "." not in host and ":" not in host
    return is_private or is_short or host.endswith(_NEAR)


def _problem(error: UnsafeUrl) -> str:
    if error.code == "BLOCKED_ADDRESS":
        return gettext("It is in a private network.")
    return "".join(error.messages)
