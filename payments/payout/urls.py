from django.urls import path

from payments.payout.api import PayoutViewSet

urlpatterns = [
    path("payout", PayoutViewSet.as_view({"get": "list", "post": "create"})),
    path("payout/methods", PayoutViewSet.as_view({"get": "methods"})),
    path("payout/qr", PayoutViewSet.as_view({"post": "qr"})),
    path("payout/<str:payout_id>", PayoutViewSet.as_view({"get": "retrieve"})),
]
