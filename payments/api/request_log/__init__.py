"""The log of API calls: what is kept of a request, how it is written, and for how long.

The request itself pays for a few assignments; everything else happens in a thread of its own.
"""

from payments.api.request_log.capture import record
from payments.api.request_log.retention import delete_old
from payments.api.request_log.writing import writer

__all__ = ["delete_old", "record", "writer"]
