"""Application config of the kernel."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import m2m_changed, post_migrate, pre_save
from django.utils.translation import gettext_lazy as _


class CoreConfig(AppConfig):
    """Tables: Transition, AuditEntry, Heartbeat."""

    name = "payments.core"
    label = "core"
    verbose_name = _("Control")

    def ready(self) -> None:
        """Roles get their rights when every app has its permissions; logins start their clocks."""
        from axes.models import AccessAttempt
        from axes.signals import user_locked_out
        from django.contrib.auth.models import User

        from payments.core import access, roles
        from payments.core.console import lockout, logins

        post_migrate.connect(roles.after_migrate, dispatch_uid="payments.core.roles")
        m2m_changed.connect(
            roles.before_given,
            sender=User.groups.through,
            dispatch_uid="payments.core.roles.apart",
        )
        for links in (User.groups.through, User.user_permissions.through):
            m2m_changed.connect(
                access.after_rights_changed,
                sender=links,
                dispatch_uid=f"payments.core.access.{links.__name__}",
            )
        user_logged_in.connect(logins.began, dispatch_uid="payments.core.logins")
        pre_save.connect(
            lockout.keep_nothing, sender=AccessAttempt, dispatch_uid="payments.core.attempts"
        )
        user_locked_out.connect(lockout.note, dispatch_uid="payments.core.lockout")
