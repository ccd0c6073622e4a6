"""For the web server: the adapter of the service around the bare framework."""

from benchmarks.floor.wsgi import application as wsgi_application
from config.request_bodies import BodyLimits
from config.wsgi_adapter import RsgiApplication

SIZE = 64 * 1024
application = RsgiApplication(
    wsgi_application,
    BodyLimits(
        seconds=10,
        api_bytes=SIZE,
        page_bytes=SIZE,
        process_bytes=1024 * SIZE,
        address_bytes=None,
        api_prefixes=(),
        refuses_callback=lambda path, headers: False,
    ),
)
