"""The client address that the lock-out of the console counts."""

import ipaddress

from django.http import HttpRequest

from payments.api import limits


def client_ip(request: HttpRequest) -> str | None:
    """The same as for rate limits: for IPv6 the network. None if it is no IP address."""
    try:
        return str(ipaddress.ip_address(limits.counted_address(request)))
    except ValueError:
        return None
