from django.contrib import admin

from payments.outgoing.admin import export
from payments.outgoing.admin.payments import OutgoingAdmin
from tests.products.voucher.models import Voucher
from tests.products.voucher.services.engine import engine


@admin.register(Voucher)
class VoucherAdmin(OutgoingAdmin):
    engine = engine
    list_display = [*OutgoingAdmin.list_display, "shop"]
    export_columns = export.columns("voucher", [])

    def beneficiary(self, payment: Voucher) -> str:
        return payment.shop
