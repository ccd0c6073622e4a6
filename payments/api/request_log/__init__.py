"""The log of API calls. A request is captured cheaply and written by another thread."""

from payments.api.request_log.batch_writer import writer
from payments.api.request_log.capture import record
from payments.api.request_log.retention import delete_old

__all__ = ["delete_old", "record", "writer"]
