"""The errors of a call to a provider, over every port."""


class ProviderError(Exception):
    """A call to a provider brought no usable response."""


class ProviderRefused(ProviderError):
    """Definite: nothing was started, and never will be under this reference.

    `reason` is a `Reason` or an `OutgoingReason`. The message is for logs, not for payers.
    """

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(message or reason)
        self.reason = reason


class ProviderUnreachable(ProviderError):
    """A definite no for now: the request never left us.

    There was no connection, the provider refused it with a 503, or the circuit is open. The
    same reference may be sent again later.
    """


class TermsChanged(ProviderUnreachable):
    """The rail has other documents than those that the payer accepted. Nothing was sent."""


class ProviderTimeout(ProviderError):
    """Doubtful: the request may have been carried out.

    For every unclear response: a deadline that passed, a connection that broke after the first
    byte, a 5xx, a response that cannot be parsed. Never treat it as a refusal. Use `query`, or send
    the SAME reference again, never a new one.
    """


class CallOvertaken(ProviderError):
    """Another call for the same payment has begun. This one calls the rail no more."""


class InvalidCallback(ProviderError):
    """The message is not from the provider, is too old, or is malformed. Nothing may change."""


class UnusableAmount(ProviderTimeout, ValueError):
    """The rail reports an impossible amount: NaN, below zero, or more than we can book.

    In a response the outcome is doubtful. A callback with such an amount is an InvalidCallback.
    """
