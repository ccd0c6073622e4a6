"""Application config of the kernel."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class CoreConfig(AppConfig):
    """Tables: Transition, AuditEntry, Heartbeat."""

    name = "payments.core"
    label = "core"
    verbose_name = _("Control")

    def ready(self) -> None:
        """Roles get their rights when every app has its permissions."""
        from payments.core import roles

        post_migrate.connect(roles.after_migrate, dispatch_uid="payments.core.roles")
