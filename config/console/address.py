"""Where a person at the console calls from, as the lock-out counts it."""

import ipaddress

from django.http import HttpRequest

from payments.api import limits


def client_address(request: HttpRequest) -> str | None:
    """The address as the API's limits count it, of IPv6 the network; None for what is none, such as a socket's name."""
    try:
        return str(ipaddress.ip_address(limits.counted_address(request)))
    except ValueError:
        return None
