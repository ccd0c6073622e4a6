"""What a call to a provider may raise, over every port."""


class ProviderError(Exception):
    """A call to a provider brought no usable response."""


class ProviderRefused(ProviderError):
    """A definite no: nothing was started and never will be under this reference.

    `reason` is a `Reason` or an `OutgoingReason`; the message may be logged but is not for payers.
    """

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(message or reason)
        self.reason = reason


class ProviderUnreachable(ProviderError):
    """A definite no for now: the request never left us (no connection, a 503 at their door,
    a circuit that is open). The same reference may be sent again later."""


class ProviderTimeout(ProviderError):
    """Doubtful: the request may have arrived and may have been carried out.

    Every unclear response belongs here: a deadline that passed, a connection cut after the first
    byte was sent, a 5xx, a response that cannot be parsed. Never treat it as a
    refusal. Use `query`, or send the SAME reference again; never send a new one in its place.
    """


class InvalidCallback(ProviderError):
    """The message is not from the provider, is too old, or is malformed. Nothing may change."""


class UnusableAmount(ProviderTimeout, ValueError):
    """The rail reports an amount that cannot be true: NaN, below zero, more than we can book.

    In a response it is a doubt, as all that cannot be parsed. In a callback: InvalidCallback.
    """
