"""What services write as the reason of a move, as people read it; what people wrote stays."""

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

# In English in the database.
WHOLE = (
    _("a part of the amount arrived"),
    _("a try was refused, a part came by another"),
    _("asked for by the merchant"),
    _("cancelled by the merchant"),
    _("decided in the sandbox"),
    _("handed to the rail"),
    _("it never reached the provider"),
    _("the deadline passed"),
    _("the deposit was seen and is not final yet"),
    _("the payer's bank took it back"),
    _("the provider was not reached"),
    _("the rail refused"),
    _("the rail took back its word"),
)
WITH_WORDS = (
    _("%s confirmed the whole amount"),
    _("%s was started"),
    _("by hand: %s"),
    _("rejected: %s"),
    _("unmatched funds %s were applied"),
)


def shown(reason: str) -> str:
    """The reason in the reader's language."""
    if reason in WHOLE:
        return gettext(reason)
    for sentence in WITH_WORDS:
        before, _words, after = sentence.partition("%s")
        if reason.startswith(before) and reason.endswith(after):
            return gettext(sentence) % reason[len(before) : len(reason) - len(after)]
    return reason
