from typing import ClassVar

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SettlementConfig(AppConfig):
    name = "payments.settlement"
    label = "settlement"
    verbose_name = _("Settlements")
    # The console's pages of what postings are about, by the prefix of its id.
    subject_pages: ClassVar[dict[str, str]] = {"stl": "settlement_settlement"}
