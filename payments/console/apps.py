"""Application config of the console."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import m2m_changed, post_migrate, pre_save
from django.utils.translation import gettext_lazy as _


class ConsoleConfig(AppConfig):
    """Access, roles, confirmed actions, exports, sessions."""

    name = "payments.console"
    label = "console"
    verbose_name = _("Console")

    def ready(self) -> None:
        """Roles get their rights when every app has its permissions; logins start their clocks."""
        from axes.models import AccessAttempt
        from axes.signals import user_locked_out
        from django.contrib.auth.models import User

        from payments.console import access, lockout, logins, roles

        post_migrate.connect(roles.after_migrate, dispatch_uid="payments.console.roles")
        m2m_changed.connect(
            roles.before_given,
            sender=User.groups.through,
            dispatch_uid="payments.console.roles.apart",
        )
        for links in (User.groups.through, User.user_permissions.through):
            m2m_changed.connect(
                access.after_rights_changed,
                sender=links,
                dispatch_uid=f"payments.console.access.{links.__name__}",
            )
        user_logged_in.connect(logins.start_session_clocks, dispatch_uid="payments.console.logins")
        pre_save.connect(
            lockout.drop_form_data, sender=AccessAttempt, dispatch_uid="payments.console.attempts"
        )
        user_locked_out.connect(lockout.record, dispatch_uid="payments.console.lockout")
