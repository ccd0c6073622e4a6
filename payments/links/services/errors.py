"""Refusals of payment links, with the codes of docs/gaps.md."""

from django.utils.translation import gettext_noop as _

from payments.core.errors import NotAllowed, NotFound, ServiceError


class LinkNotFound(NotFound):
    message = _("There is no such payment link.")


class LinkNotPayable(ServiceError):
    """No order can be made now. `availability` says why."""

    code = "LINK_NOT_PAYABLE"
    message = _("This payment link takes no payments now.")

    def __init__(self, availability: str) -> None:
        super().__init__(details={"reason": availability})
        self.availability = availability


class LinkHasEnded(NotAllowed):
    message = _("The payment link has ended and does not change any more.")
