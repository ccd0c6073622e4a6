"""Application config of collections."""

from typing import ClassVar

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CollectConfig(AppConfig):
    name = "payments.collect"
    label = "collect"
    verbose_name = _("Collections")
    # The console's pages of what postings are about, by the prefix of its id.
    subject_pages: ClassVar[dict[str, str]] = {
        "col": "collect_order",
        "ref": "collect_refund",
        "dis": "collect_dispute",
    }
