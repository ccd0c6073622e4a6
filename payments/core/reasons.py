"""Why a record changed its state: a code with at most one parameter, or a text.

`Transition.reason_code` has the code and `Transition.reason` its parameter, so that the sentence
can be reworded. Without a code, `reason` has the text of a person or a rail.
"""

from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _


class ReasonCode(TextChoices):
    """The label is the sentence. Its %s is the parameter."""

    PART_ARRIVED = "part_arrived", _("a part of the amount arrived")
    REFUSED_AFTER_PART = "refused_after_part", _("a try was refused, a part came by another")
    MERCHANT_ASKED = "merchant_asked", _("asked for by the merchant")
    MERCHANT_CANCELLED = "merchant_cancelled", _("cancelled by the merchant")
    SANDBOX = "sandbox", _("decided in the sandbox")
    SENT = "sent", _("handed to the rail")
    NEVER_ARRIVED = "never_arrived", _("it never reached the provider")
    DEADLINE_PASSED = "deadline_passed", _("the deadline passed")
    NOT_FINAL = "not_final", _("the deposit was seen and is not final yet")
    BANK_TOOK_BACK = "bank_took_back", _("the payer's bank took it back")
    NOT_REACHED = "not_reached", _("the provider was not reached")
    REFUSED = "refused", _("the rail refused")
    RAIL_TOOK_BACK = "rail_took_back", _("the rail took back its word")
    PAID = "paid", _("%s confirmed the whole amount")
    STARTED = "started", _("%s was started")
    BY_HAND = "by_hand", _("by hand: %s")
    REJECTED = "rejected", _("rejected: %s")
    FUNDS_APPLIED = "funds_applied", _("unmatched funds %s were applied")
    ACCOUNT_NOT_VERIFIED = (
        "account_not_verified",
        _("the merchant's bank account is not the verified one any more"),
    )
    PAYER_BEGAN_AGAIN = "payer_began_again", _("the payer filled in the payment link again")


# Rows from before the codes contain these sentences. The rows are append-only, so these texts must
# not change, even if the labels above do.
_WRITTEN_BEFORE = {
    "a part of the amount arrived": ReasonCode.PART_ARRIVED,
    "a try was refused, a part came by another": ReasonCode.REFUSED_AFTER_PART,
    "asked for by the merchant": ReasonCode.MERCHANT_ASKED,
    "cancelled by the merchant": ReasonCode.MERCHANT_CANCELLED,
    "decided in the sandbox": ReasonCode.SANDBOX,
    "handed to the rail": ReasonCode.SENT,
    "it never reached the provider": ReasonCode.NEVER_ARRIVED,
    "the deadline passed": ReasonCode.DEADLINE_PASSED,
    "the deposit was seen and is not final yet": ReasonCode.NOT_FINAL,
    "the payer's bank took it back": ReasonCode.BANK_TOOK_BACK,
    "the provider was not reached": ReasonCode.NOT_REACHED,
    "the rail refused": ReasonCode.REFUSED,
    "the rail took back its word": ReasonCode.RAIL_TOOK_BACK,
}
_WRITTEN_BEFORE_AROUND = {
    ("", " confirmed the whole amount"): ReasonCode.PAID,
    ("", " was started"): ReasonCode.STARTED,
    ("by hand: ", ""): ReasonCode.BY_HAND,
    ("rejected: ", ""): ReasonCode.REJECTED,
    ("unmatched funds ", " were applied"): ReasonCode.FUNDS_APPLIED,
}


class MoveReason(str):
    """The English sentence, for columns that store text.

    `states.move` stores code and parameter.
    """

    __slots__ = ("code", "parameter")
    code: ReasonCode
    parameter: str

    def __new__(cls, code: ReasonCode, parameter: str = "") -> "MoveReason":
        made = super().__new__(cls, _sentence(str(code.label), parameter))
        made.code, made.parameter = code, parameter
        return made


def shown(reason_code: str, reason: str) -> str:
    """The sentence in the reader's language."""
    if reason_code in ReasonCode.values:
        return _sentence(gettext(str(ReasonCode(reason_code).label)), reason)
    if (code := _WRITTEN_BEFORE.get(reason)) is not None:
        return gettext(str(code.label))
    for (before, after), code in _WRITTEN_BEFORE_AROUND.items():
        if reason.startswith(before) and reason.endswith(after):
            parameter = reason[len(before) : len(reason) - len(after)]
            return _sentence(gettext(str(code.label)), parameter)
    return reason


def _sentence(label: str, parameter: str) -> str:
    return label.replace("%s", parameter)
