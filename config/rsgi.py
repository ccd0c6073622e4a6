"""RSGI entry point for granian: takes a request whole, and only then gives it to a thread.

Under WSGI the server hands a request over when its header has come, and a thread waits for the
body without a limit: as many silent clients as there are threads stop the service. Here the event
loop waits (config.bodies), and threads of our own run the WSGI application. docs/decisions/0011.
"""

# isort: skip_file
from config.wsgi import application as wsgi_application  # first: it hears signals from then on

from django.conf import settings

from config.bodies import Limits
from config.buffering import Application
from payments.core import clock
from payments.providers import registry

application = Application(
    wsgi_application,
    Limits(
        seconds=settings.BODY_SECONDS,
        api_bytes=settings.API_MAX_BODY_BYTES,
        page_bytes=settings.PAGE_MAX_BODY_BYTES,
        room_bytes=settings.BODIES_MAX_BYTES,
        # Behind a proxy all requests come from its address.
        address_bytes=None if settings.TRUSTED_PROXIES else settings.BODIES_MAX_BYTES // 4,
        api_prefixes=settings.API_PREFIXES,
        refuses_callback=lambda path, headers: registry.refuses_callback(
            path, headers, clock.now()
        ),
    ),
)
