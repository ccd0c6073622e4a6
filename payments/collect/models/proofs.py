"""The codes by which anybody can check a receipt."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from payments.collect.models.orders import Order
from payments.core.receipt_codes import LENGTH, new_code


class Proof(models.Model):
    """The code of an order's receipt. Made when the receipt is first seen, and never changed.

    Random, not derived: nothing that we keep or may lose can tell one from an order.
    """

    code = models.CharField(
        _("code"), primary_key=True, max_length=LENGTH, default=new_code, editable=False
    )
    order = models.OneToOneField(Order, on_delete=models.PROTECT, related_name="proof")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("receipt code")
        verbose_name_plural = _("receipt codes")

    def __str__(self) -> str:
        return self.code
