"""Queries GET /readyz of the running service."""

import http.client
from urllib.parse import urlsplit

from config.devstack.options import Options


def get_readyz(options: Options) -> tuple[int, str]:
    """Returns status and body, status 0 without a connection."""
    host, port = options.local_address
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        # The public host name, which ALLOWED_HOSTS accepts.
        connection.request("GET", "/readyz", headers={"Host": urlsplit(options.public_url).netloc})
        response = connection.getresponse()
        return response.status, response.read(2000).decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        return 0, str(error)
    finally:
        connection.close()
