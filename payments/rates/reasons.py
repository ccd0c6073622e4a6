"""Why an answer of a price source does not count."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Reason(models.TextChoices):
    """The words are those of the console; /metrics has the codes."""

    UNREACHABLE = "UNREACHABLE", _("not reached")
    TIME_LIMIT = "TIME_LIMIT", _("too slow")
    UNREADABLE = "UNREADABLE", _("not readable")
    INVALID_PRICE = "INVALID_PRICE", _("impossible price")
    NO_TIME = "NO_TIME", _("without a time")
    OLD = "OLD", _("too old")
    AHEAD = "AHEAD", _("from the future")
    DEVIATES = "DEVIATES", _("too far from the others")


class Refused(Exception):
    """`detail` is for operators: what was wrong, without the content of the answer."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail = reason, detail
