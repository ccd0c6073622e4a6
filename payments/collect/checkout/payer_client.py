"""The payer's browser, as rails ask for it against fraud."""

import ipaddress

from django.http import HttpRequest

from payments.api import limits
from payments.collect.services.charges.charge_creation import Client

USER_AGENT_LENGTH = 300


def client_of(request: HttpRequest) -> Client:
    agent = request.headers.get("User-Agent", "")
    shown = "".join(character for character in agent if character.isprintable())
    return Client(ip=_address(request), user_agent=shown[:USER_AGENT_LENGTH])


def _address(request: HttpRequest) -> str:
    """Empty for a socket without an IP address."""
    try:
        return str(ipaddress.ip_address(limits.client_address(request)))
    except ValueError:
        return ""
