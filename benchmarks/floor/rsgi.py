"""For the web server: the adapter of the service around the bare framework."""

from benchmarks.floor.wsgi import application as wsgi_application
from config.bodies import Limits
from config.buffering import Application

SIZE = 64 * 1024
application = Application(
    wsgi_application,
    Limits(
        seconds=10,
        api_bytes=SIZE,
        page_bytes=SIZE,
        room_bytes=1024 * SIZE,
        address_bytes=None,
        api_prefixes=(),
    ),
)
