"""An operator who exports all orders again and again: `python -m benchmarks.exports SECONDS`.

One process with the service's settings. A worker of the service makes the files.
"""

import sys
import time

import django

PAUSE_SECONDS = 5


def main() -> None:
    """Requests the list of orders as CSV every PAUSE_SECONDS. Prints how many became ready."""
    django.setup()
    from django.contrib.auth.models import User

    from payments.console.exports import requests
    from payments.console.models import Export
    from payments.core import clock

    operator, _ = User.objects.get_or_create(username="benchmark", is_staff=True, is_superuser=True)
    ends_at = time.monotonic() + float(sys.argv[1])
    while time.monotonic() < ends_at:
        requests.ask(
            user=operator,
            now=clock.now(),
            model="collect.order",
            query="",
            format=Export.Format.CSV,
            is_revealed=False,
            scope=None,
        )
        time.sleep(PAUSE_SECONDS)
    print(Export.objects.filter(user=operator, status=Export.Status.READY).count())


if __name__ == "__main__":
    main()
