"""Why a text is no usable QR code."""

from enum import StrEnum

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _


class Reason(StrEnum):
    """For programs: they are in the API's errors."""

    EMPTY = "EMPTY"
    TEXT_TOO_LONG = "TEXT_TOO_LONG"
    NOT_PRINTABLE = "NOT_PRINTABLE"
    NOT_EMV = "NOT_EMV"
    BAD_CRC = "BAD_CRC"
    NO_CRC = "NO_CRC"
    TRUNCATED = "TRUNCATED"
    BAD_TAG = "BAD_TAG"
    BAD_LENGTH = "BAD_LENGTH"
    DUPLICATE_TAG = "DUPLICATE_TAG"
    MISSING_FIELD = "MISSING_FIELD"
    FIELD_TOO_LONG = "FIELD_TOO_LONG"
    NOT_DIGITS = "NOT_DIGITS"
    BAD_VALUE = "BAD_VALUE"
    BAD_AMOUNT = "BAD_AMOUNT"
    WRONG_CURRENCY = "WRONG_CURRENCY"
    WRONG_COUNTRY = "WRONG_COUNTRY"
    SEVERAL_KEYS = "SEVERAL_KEYS"
    NO_KEY = "NO_KEY"
    BAD_KEY = "BAD_KEY"
    OTHER_KEY = "OTHER_KEY"
    DYNAMIC = "DYNAMIC"
    HAS_AMOUNT = "HAS_AMOUNT"
    ADDS_TIP = "ADDS_TIP"


MESSAGES = {
    Reason.EMPTY: _("The QR code's text is empty."),
    Reason.TEXT_TOO_LONG: _("The text is longer than a QR code of a payment."),
    Reason.NOT_PRINTABLE: _("The text has characters that cannot be printed."),
    Reason.NOT_EMV: _("A text of a QR code for payments begins with 000201. This one does not."),
    Reason.BAD_CRC: _("The checksum is wrong: a character was changed, lost or added."),
    Reason.NO_CRC: _("The checksum is missing at the end: the text is not complete."),
    Reason.TRUNCATED: _("The text ends inside field %(field)s: it is not complete."),
    Reason.BAD_TAG: _("After field %(field)s there is no number of a field."),
    Reason.BAD_LENGTH: _("The length of field %(field)s is not two digits from 01 to 99."),
    Reason.DUPLICATE_TAG: _("Field %(field)s is there twice."),
    Reason.MISSING_FIELD: _("Field %(field)s is missing."),
    Reason.FIELD_TOO_LONG: _("Field %(field)s is longer than the standard allows."),
    Reason.NOT_DIGITS: _("Field %(field)s has something else than digits."),
    Reason.BAD_VALUE: _("Field %(field)s has a value that the standard does not know."),
    Reason.BAD_AMOUNT: _("Field %(field)s is no amount in pesos, such as 15000.00."),
    Reason.WRONG_CURRENCY: _("The QR code is not in Colombian pesos."),
    Reason.WRONG_COUNTRY: _("The QR code is not from Colombia."),
    Reason.SEVERAL_KEYS: _("The QR code names more than one Bre-B key."),
    Reason.NO_KEY: _("The QR code names no Bre-B key."),
    Reason.BAD_KEY: _("The QR code's Bre-B key has not the form of its type."),
    Reason.OTHER_KEY: _("The QR code pays to another key than the one that was typed."),
    Reason.DYNAMIC: _("The QR code is for one payment only. A static one is needed."),
    Reason.HAS_AMOUNT: _("The QR code has an amount in it. One without an amount is needed."),
    Reason.ADDS_TIP: _("The QR code adds a tip to each payment, so that no payment is exact."),
}


class QRRefused(ValueError):
    """Its text is for people, in their language.

    sentence  in English, with the field in it.
    field     where it was found: "54", "62.08". Empty if it is about the whole text.
    """

    def __init__(self, reason: Reason, field: str = "") -> None:
        self.reason = reason
        self.field = field
        super().__init__(reason, field)

    def __str__(self) -> str:
        return gettext(MESSAGES[self.reason]) % {"field": self.field}

    @property
    def sentence(self) -> str:
        return MESSAGES[self.reason] % {"field": self.field}
