"""The log of API calls: captures a request, writes it from a thread of its own, deletes old rows.

The request itself pays for a few assignments only.
"""

from payments.api.request_log.batch_writer import writer
from payments.api.request_log.capture import record
from payments.api.request_log.retention import delete_old

__all__ = ["delete_old", "record", "writer"]
