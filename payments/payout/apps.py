from typing import ClassVar

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PayoutConfig(AppConfig):
    name = "payments.payout"
    label = "payout"
    verbose_name = _("Payouts")
    # Its default rows (manage.py load_catalogues).
    catalogue = ("payouts", "payments.payout.services.catalogue.load_catalogue")
    # The console's pages of what postings are about, by the prefix of its id.
    subject_pages: ClassVar[dict[str, str]] = {"po": "payout_payout"}
