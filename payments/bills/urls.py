from django.urls import path

from payments.bills.api import BillsViewSet

urlpatterns = [
    path("bills/agreements", BillsViewSet.as_view({"get": "agreements"})),
    path("bills/check", BillsViewSet.as_view({"post": "check"})),
    path("bills/pay", BillsViewSet.as_view({"post": "pay"})),
    path("bills/payments", BillsViewSet.as_view({"get": "list"})),
    path("bills/payments/<str:payment_id>", BillsViewSet.as_view({"get": "retrieve"})),
]
