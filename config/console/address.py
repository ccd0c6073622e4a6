"""Where a person at the console calls from, as the lock-out counts it."""

import ipaddress

from django.http import HttpRequest

from payments.api import limits


def client_address(request: HttpRequest) -> str | None:
    """As the API's limits count it, of IPv6 the network; None for a socket's name and the like."""
    try:
        return str(ipaddress.ip_address(limits.counted_address(request)))
    except ValueError:
        return None
