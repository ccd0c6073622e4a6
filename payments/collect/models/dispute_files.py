"""Files that prove a merchant's side of a dispute."""

from functools import partial

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from payments.collect.models.disputes import Dispute
from payments.core.fields import IdField
from payments.core.ids import new_id
from payments.core.models import append_only


class DisputeFile(models.Model):
    """Append-only. The type was read from the content, which is never served as a page."""

    class MediaType(models.TextChoices):
        PDF = "application/pdf", "PDF"
        PNG = "image/png", "PNG"
        JPEG = "image/jpeg", "JPEG"

    id = IdField(primary_key=True, default=partial(new_id, "dsf"), editable=False)
    dispute = models.ForeignKey(
        Dispute, on_delete=models.PROTECT, related_name="files", verbose_name=_("dispute")
    )
    name = models.CharField(_("file"), max_length=120)
    media_type = models.CharField(_("type"), max_length=20, choices=MediaType.choices)
    size = models.PositiveIntegerField(_("bytes"))
    sha256 = models.CharField(_("SHA-256"), max_length=64)
    content = models.BinaryField()
    # People of the merchant see what their team has added, operators all.
    is_of_merchant = models.BooleanField(_("added by the merchant"))
    added_by = models.CharField(_("added by"), max_length=150)
    added_at = models.DateTimeField(_("added at"))

    class Meta:
        verbose_name = _("file of a dispute")
        verbose_name_plural = _("files of disputes")
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["dispute", "sha256"], name="dispute_file_once"),
            models.CheckConstraint(
                condition=Q(media_type__in=("application/pdf", "image/png", "image/jpeg")),
                name="dispute_file_type_known",
            ),
        ]
        triggers = append_only()

    def __str__(self) -> str:
        return self.name
