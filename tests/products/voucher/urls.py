from django.urls import path

from tests.products.voucher.api import VoucherViewSet

urlpatterns = [
    path("voucher", VoucherViewSet.as_view({"get": "list", "post": "create"})),
    path("voucher/<str:voucher_id>", VoucherViewSet.as_view({"get": "retrieve"})),
]
