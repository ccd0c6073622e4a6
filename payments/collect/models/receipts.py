"""The codes by which a receipt can be checked."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from payments.collect.models.orders import Order
from payments.core.receipt_codes import LENGTH, new_code


class Receipt(models.Model):
    """The code of an order's receipt, created when the receipt is first displayed. It never
    changes.

    It is random: it cannot be derived from an order or a key.
    """

    code = models.CharField(
        _("code"), primary_key=True, max_length=LENGTH, default=new_code, editable=False
    )
    order = models.OneToOneField(Order, on_delete=models.PROTECT, related_name="receipt")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "collect_proof"
        verbose_name = _("receipt code")
        verbose_name_plural = _("receipt codes")

    def __str__(self) -> str:
        return self.code
