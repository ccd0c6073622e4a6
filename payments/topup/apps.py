from typing import ClassVar

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TopUpConfig(AppConfig):
    name = "payments.topup"
    label = "topup"
    verbose_name = _("Top-ups")
    # Its default rows (manage.py load_catalogues).
    catalogue = ("topups", "payments.topup.services.catalogue.load_catalogue")
    # The console's pages of what postings are about, by the prefix of its id.
    subject_pages: ClassVar[dict[str, str]] = {"top": "topup_topup"}
