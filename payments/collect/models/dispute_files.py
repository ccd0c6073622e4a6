"""Files that prove a merchant's side of a dispute."""

from functools import partial

from django.db import models
from django.utils.translation import gettext_lazy as _

from payments.collect.models.disputes import Dispute
from payments.core.fields import IdField
from payments.core.ids import new_id
from payments.core.kept_files import KeptFile, type_is_known
from payments.core.models import append_only


class DisputeFile(KeptFile):
    """Append-only."""

    id = IdField(primary_key=True, default=partial(new_id, "dsf"), editable=False)
    dispute = models.ForeignKey(
        Dispute, on_delete=models.PROTECT, related_name="files", verbose_name=_("dispute")
    )
    # People of the merchant see what their team has added, operators all.
    is_of_merchant = models.BooleanField(_("added by the merchant"))

    class Meta:
        verbose_name = _("file of a dispute")
        verbose_name_plural = _("files of disputes")
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["dispute", "sha256"], name="dispute_file_once"),
            type_is_known("dispute_file_type_known"),
        ]
        triggers = append_only()
