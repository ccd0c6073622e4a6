from functools import partial

from django.db import models
from django.utils.translation import gettext_lazy as _

from payments.core.fields import EncryptedTextField, IdField
from payments.core.ids import new_id


class Mail(models.Model):
    """A mail as it was rendered when it was requested.

    `key` names what the mail is about, such as `receipt:col_...`. It is unique, so the same thing
    is never mailed twice. A row with a `due_at` is sent then; a lease moves its due time, so a
    crash only delays it.
    """

    class Status(models.TextChoices):
        PENDING = "PENDING", _("Waiting")
        SENT = "SENT", _("Sent")
        FAILED = "FAILED", _("Failed")
        NOT_SENT = "NOT_SENT", _("No mail server")
        NOT_NEEDED = "NOT_NEEDED", _("Not needed any more")

    id = IdField(primary_key=True, default=partial(new_id, "mail"), editable=False)
    key = models.CharField(max_length=200, unique=True, editable=False)
    template = models.CharField(_("kind"), max_length=60)
    merchant_id = IdField(_("merchant"), blank=True, default="")
    language = models.CharField(max_length=10)
    to = models.CharField(_("recipient"), max_length=254)
    reply_to = models.CharField(max_length=254, blank=True, default="")
    subject = models.CharField(_("subject"), max_length=200)
    # Encrypted, because the texts have personal data, and some have links that give rights.
    text = EncryptedTextField(_("text"))
    html = EncryptedTextField()
    # A link in the text gives rights: the texts are erased when the mail was sent, and at the
    # latest when the link ends. Then there is no `secret_until` any more.
    is_secret = models.BooleanField(default=False)
    secret_until = models.DateTimeField(null=True, editable=False)

    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.PENDING
    )
    due_at = models.DateTimeField(_("next attempt"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    lease_token = models.UUIDField(null=True, editable=False)
    error = models.CharField(_("error"), max_length=300, blank=True, default="")
    created_at = models.DateTimeField(_("created at"))
    sent_at = models.DateTimeField(_("sent at"), null=True, blank=True)

    class Meta:
        verbose_name = _("mail")
        verbose_name_plural = _("mails")
        indexes = [
            models.Index(
                fields=["due_at"], name="mail_due", condition=models.Q(due_at__isnull=False)
            ),
            models.Index(
                fields=["due_at"], name="mail_leased", condition=models.Q(lease_token__isnull=False)
            ),
            models.Index(
                fields=["-created_at"], name="mail_failed", condition=models.Q(status="FAILED")
            ),
            models.Index(fields=["created_at"], name="mail_created"),
            models.Index(
                fields=["secret_until"],
                name="mail_secret",
                condition=models.Q(secret_until__isnull=False),
            ),
            models.Index(fields=["merchant_id", "-id"], name="mail_merchant"),
            models.Index(fields=["to", "-id"], name="mail_recipient"),
        ]

    def __str__(self) -> str:
        return self.subject
