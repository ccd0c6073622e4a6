"""Application config of the console."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import m2m_changed, post_migrate, pre_save
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console import registry
from payments.core.metrics import AppMetrics, age


class ConsoleConfig(AppConfig):
    name = "payments.console"
    label = "console"
    verbose_name = _("Console")
    metrics = AppMetrics(ages=(age("exports-run", "core_export", "due_at"),))
    # The entries also cover the apps below the console, which do not import it.
    console = registry.AppConsole(
        sections=(
            registry.section(
                80,
                _("Merchants"),
                registry.Entry(
                    _("API calls"), "terminal", "api.apicall", order=1, group=registry.DEVELOPERS
                ),
            ),
            registry.section(
                90,
                _("Control"),
                registry.Entry(_("Audit log"), "policy", "core.auditentry"),
                registry.Entry(_("Transitions"), "swap_horiz", "core.transition"),
                registry.Entry(_("Operators"), "badge", "auth.user"),
                registry.Entry(_("Roles"), "groups", "auth.group"),
                registry.Entry(_("Exports"), "download", "console.export", group=registry.BUSINESS),
                registry.Entry(_("Mails"), "mail", "mail.mail"),
            ),
        ),
        rights={
            registry.EVERYONE: "api.view_apicall",
            registry.OF_OPERATORS: "core.view_auditentry core.view_transition mail.view_mail",
            registry.OF_MERCHANTS: "core.reveal_personal_data core.export_rows",
            registry.VIEWER: "core.export_rows",
            registry.SUPPORT: "core.reveal_personal_data mail.resend_mail",
            registry.FINANCE: "core.reveal_personal_data core.export_rows",
            registry.APPROVER: "core.reveal_personal_data",
            registry.ADMINISTRATOR: (
                "core.export_rows auth.view_user auth.view_group auth.add_user "
                "auth.change_user auth.unlock_user auth.reset_user mail.resend_mail"
            ),
        },
        right_names={
            "auth.unlock_user": gettext_noop("Can unlock operators"),
            "auth.reset_user": gettext_noop("Can reset second factors"),
            "mail.resend_mail": gettext_noop("Can send mails again"),
        },
    )

    def ready(self) -> None:
        """Registers the handlers that give roles their rights and start the session at a login."""
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
