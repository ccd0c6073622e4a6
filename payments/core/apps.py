from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from payments.core.history.audit_log import AUDIT_LOG
from payments.core.history.metrics import METRICS


class CoreConfig(AppConfig):
    name = "payments.core"
    label = "core"
    verbose_name = _("Control")
    metrics = METRICS
    history = (AUDIT_LOG,)
