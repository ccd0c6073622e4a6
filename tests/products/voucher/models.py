from functools import partial

from django.db import models

from payments.core.fields import IdField
from payments.core.ids import new_id
from payments.outgoing.models import OutgoingPayment


class Voucher(OutgoingPayment):
    """Credit that a merchant buys at a shop."""

    ID_PREFIX = "vou"
    REFERENCE_PREFIX = "vor"

    id = IdField(primary_key=True, default=partial(new_id, ID_PREFIX), editable=False)
    provider_reference = IdField(unique=True, default=partial(new_id, "vor"), editable=False)
    shop = models.CharField(max_length=40)

    class Meta(OutgoingPayment.Meta):
        verbose_name = "voucher"
        verbose_name_plural = "vouchers"

    @property
    def rail(self) -> str:
        return "VOUCHER"
