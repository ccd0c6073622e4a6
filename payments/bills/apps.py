from typing import ClassVar

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BillsConfig(AppConfig):
    name = "payments.bills"
    label = "bills"
    verbose_name = _("Bill payments")
    # Its default rows (manage.py load_catalogues).
    catalogue = ("bills", "payments.bills.services.catalogue.load_catalogue")
    # The console's pages of what postings are about, by the prefix of its id.
    subject_pages: ClassVar[dict[str, str]] = {"bil": "bills_billpayment"}
