from django.utils.translation import gettext_noop as _

from payments.core.errors import ServiceError


class SettlementRefused(ServiceError):
    """The file is refused whole, and nothing was changed. `line` is None for the whole file."""

    code = "SETTLEMENT_FILE_REFUSED"
    message = _("The file is refused: %(reason)s")

    def __init__(self, reason: str, line: int | None = None) -> None:
        values = {"reason": reason, "line": line}
        sentence = _("The file is refused, line %(line)s: %(reason)s")
        super().__init__(None if line is None else sentence, values=values)
        self.reason = reason
        self.line = line


class NoSettlementFiles(ServiceError):
    """There is no reader for settlement files of this account's provider."""

    code = "NO_SETTLEMENT_FILES"
    message = _("Settlement files of this provider are not known.")
