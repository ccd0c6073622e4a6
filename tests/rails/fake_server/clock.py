"""The rail's clock. `clock_skew_seconds` moves what it writes, never when it acts."""

import time
from datetime import UTC, datetime
from email.utils import format_datetime

from tests.rails.fake_server.settings import Settings


class Clock:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def seconds(self) -> float:
        """Unix time as the rail believes it to be."""
        return time.time() + float(self._settings["clock_skew_seconds"])

    def iso(self, seconds: float | None = None) -> str:
        """ISO 8601 UTC with milliseconds, as in the documents: 2018-07-20T16:45:05.000Z."""
        moment = datetime.fromtimestamp(self.seconds() if seconds is None else seconds, UTC)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"

    def http_date(self) -> str:
        return format_datetime(datetime.fromtimestamp(int(self.seconds()), UTC), usegmt=True)
