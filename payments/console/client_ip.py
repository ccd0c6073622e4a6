"""The client address that the lock-out of the console counts."""

import ipaddress

from django.http import HttpRequest

from payments.api import limits


def client_ip(request: HttpRequest) -> str | None:
    """Returns the address that rate limits count: of IPv6 the /64 network.

    Returns None if it is not an IP address.
    """
    try:
        return str(ipaddress.ip_address(limits.counted_address(request)))
    except ValueError:
        return None
