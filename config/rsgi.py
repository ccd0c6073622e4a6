"""The RSGI entry point for granian, which receives a whole request before a thread gets it.

Under WSGI a thread waits for the body without a limit, so that a few silent clients could stop the
service. Here the event loop waits (config.request_bodies), and our own threads run the WSGI
application. docs/decisions/0011.
"""

# isort: skip_file
from config.wsgi import application as wsgi_application  # first: it sets the handlers of signals

from django.conf import settings

from config.request_bodies import BodyLimits, Upload
from config.wsgi_adapter import RsgiApplication
from payments.core import clock
from payments.providers import registry

application = RsgiApplication(
    wsgi_application,
    BodyLimits(
        seconds=settings.BODY_SECONDS,
        api_bytes=settings.API_MAX_BODY_BYTES,
        page_bytes=settings.PAGE_MAX_BODY_BYTES,
        process_bytes=settings.BODIES_MAX_BYTES,
        # Behind a proxy all requests come from its address.
        address_bytes=None if settings.TRUSTED_PROXIES else settings.BODIES_MAX_BYTES // 4,
        api_prefixes=settings.API_PREFIXES,
        refuses_callback=lambda path, headers: registry.refuses_callback(
            path,
            headers,  # type: ignore[arg-type]
            clock.now(),
        ),
        uploads=(
            Upload(
                path=settings.BANK_STATEMENT_UPLOAD_PATH,
                bytes=settings.BANK_STATEMENT_UPLOAD_MAX_BYTES + settings.PAGE_MAX_BODY_BYTES,
                seconds=settings.BANK_STATEMENT_UPLOAD_SECONDS,
                pause_seconds=settings.UPLOAD_PAUSE_SECONDS,
                cookie=settings.SESSION_COOKIE_NAME,
            ),
            Upload(
                path=settings.PAYOUT_BATCH_UPLOAD_PATH,
                bytes=settings.PAYOUT_BATCH_UPLOAD_MAX_BYTES + settings.PAGE_MAX_BODY_BYTES,
                seconds=settings.PAYOUT_BATCH_UPLOAD_SECONDS,
                pause_seconds=settings.UPLOAD_PAUSE_SECONDS,
                cookie=settings.SESSION_COOKIE_NAME,
            ),
            Upload(
                path=settings.PAYOUT_BATCH_API_PATH,
                bytes=settings.PAYOUT_BATCH_API_MAX_BYTES,
                seconds=settings.PAYOUT_BATCH_UPLOAD_SECONDS,
                pause_seconds=settings.UPLOAD_PAUSE_SECONDS,
                cookie="",
            ),
            Upload(
                path=settings.DISPUTE_FILE_PATH,
                bytes=settings.DISPUTE_FILE_MAX_BYTES + settings.PAGE_MAX_BODY_BYTES,
                seconds=settings.BANK_STATEMENT_UPLOAD_SECONDS,
                pause_seconds=settings.UPLOAD_PAUSE_SECONDS,
                cookie=settings.SESSION_COOKIE_NAME,
            ),
            Upload(
                path=settings.BANK_CERTIFICATE_PATH,
                bytes=settings.BANK_CERTIFICATE_MAX_BYTES + settings.PAGE_MAX_BODY_BYTES,
                seconds=settings.BANK_STATEMENT_UPLOAD_SECONDS,
                pause_seconds=settings.UPLOAD_PAUSE_SECONDS,
                cookie=settings.SESSION_COOKIE_NAME,
            ),
        ),
    ),
)
