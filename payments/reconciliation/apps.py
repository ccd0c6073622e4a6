from typing import ClassVar

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReconciliationConfig(AppConfig):
    name = "payments.reconciliation"
    label = "reconciliation"
    verbose_name = _("Reconciliation")
    # The console's page for the subject of a posting, by the prefix of the subject's id.
    subject_pages: ClassVar[dict[str, str]] = {"stf": "reconciliation_statementfile"}
