"""Asks the running service whether it is ready, over HTTP like any load balancer."""

import http.client
from urllib.parse import urlsplit

from config.devstack.options import Options


def get_readyz(options: Options) -> tuple[int, str]:
    """Status and body of GET /readyz; status 0 while nobody listens."""
    host, port = options.local_address
    connection = http.client.HTTPConnection(host, port, timeout=5)
    try:
        # The name clients use, so that a narrowed ALLOWED_HOSTS accepts the question.
        connection.request("GET", "/readyz", headers={"Host": urlsplit(options.public_url).netloc})
        response = connection.getresponse()
        return response.status, response.read(2000).decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        return 0, str(error)
    finally:
        connection.close()
