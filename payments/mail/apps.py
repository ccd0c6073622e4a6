from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from payments.core.metrics import AppMetrics, MetricQuery, age


class MailConfig(AppConfig):
    name = "payments.mail"
    label = "mail"
    verbose_name = _("Mail")
    metrics = AppMetrics(
        queries=(
            MetricQuery(
                (),
                {
                    "pasarela_mail_pending": "Mails that will be sent, now or later.",
                    "pasarela_mail_oldest_seconds": "Age of the oldest mail that is not sent yet.",
                    "pasarela_mail_failed_24h": "Mails that failed for good in the last day.",
                },
                """
        SELECT
            (SELECT count(*) FROM (SELECT 1 FROM mail_mail WHERE due_at IS NOT NULL
             ORDER BY due_at LIMIT %(cap)s) AS row),
            (SELECT COALESCE(max(extract(epoch FROM %(now)s - created_at)), 0) FROM (
             SELECT created_at FROM mail_mail WHERE due_at IS NOT NULL
             ORDER BY due_at LIMIT %(cap)s) AS row),
            (SELECT count(*) FROM (SELECT 1 FROM mail_mail WHERE status = 'FAILED'
             AND created_at >= %(now)s - interval '1 day'
             ORDER BY created_at DESC LIMIT %(cap)s) AS row)""",
            ),
        ),
        ages=(age("mail-send", "mail_mail", "due_at"),),
    )
