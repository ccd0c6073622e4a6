"""The transactions that operators entered for refunds of coins."""

import pgtrigger
from django.db import models
from django.utils.translation import gettext_lazy as _

from payments.collect.models.refunds import Refund


class RefundTransaction(models.Model):
    """One transaction pays one refund. A transfer within it is never counted for two."""

    id = models.BigAutoField(primary_key=True)
    refund = models.ForeignKey(Refund, on_delete=models.PROTECT, related_name="transactions")
    network = models.CharField(_("network"), max_length=30)
    transaction = models.CharField(_("transaction"), max_length=100, db_collation="C")
    # Of the first transfer that pays: one transaction may pay several refunds to several addresses.
    position = models.PositiveIntegerField()
    entered_by = models.CharField(_("entered by"), max_length=150)
    entered_at = models.DateTimeField(_("entered at"))

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["transaction", "position", "network"], name="refund_transaction_once"
            )
        ]
        triggers = [pgtrigger.Protect(name="keep", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return self.transaction
