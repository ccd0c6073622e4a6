"""Application config of payment links."""

from typing import ClassVar

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LinksConfig(AppConfig):
    name = "payments.links"
    label = "links"
    verbose_name = _("Payment links")
    # The console's page for the subject of a posting, by the prefix of the subject's id.
    subject_pages: ClassVar[dict[str, str]] = {"lnk": "links_paymentlink"}

    def ready(self) -> None:
        from payments.collect.services.orders import retries
        from payments.links.services.payments import may_take_another_use

        retries.add_check(may_take_another_use)
