from django.urls import path

from payments.ledger.api import BalanceViewSet

urlpatterns = [
    path("balance", BalanceViewSet.as_view({"get": "list"})),
    path("balance/movements", BalanceViewSet.as_view({"get": "movements"})),
]
