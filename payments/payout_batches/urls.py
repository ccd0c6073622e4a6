from django.urls import path

from payments.payout_batches.api import PayoutBatchViewSet

urlpatterns = [
    path("payout/batches", PayoutBatchViewSet.as_view({"get": "list", "post": "create"})),
    path("payout/batches/<str:batch_id>", PayoutBatchViewSet.as_view({"get": "retrieve"})),
    path("payout/batches/<str:batch_id>/lines", PayoutBatchViewSet.as_view({"get": "lines"})),
]
