"""Routes of /collect. Ids are opaque: any text in their place reaches the view."""

from django.urls import path

from payments.collect.api.direct import DirectViewSet
from payments.collect.api.orders import OrderViewSet
from payments.collect.api.refunds import RefundViewSet

urlpatterns = [
    path("collect", OrderViewSet.as_view({"get": "list", "post": "create"})),
    path("collect/stats", OrderViewSet.as_view({"get": "stats"})),
    path("collect/<str:order_id>", OrderViewSet.as_view({"get": "retrieve"})),
    path("collect/<str:order_id>/cancel", OrderViewSet.as_view({"post": "cancel"})),
    path(
        "collect/<str:order_id>/refunds", RefundViewSet.as_view({"get": "list", "post": "create"})
    ),
    path(
        "collect/<str:order_id>/refunds/<str:refund_id>", RefundViewSet.as_view({"get": "retrieve"})
    ),
    path("collect/<str:order_id>/methods", DirectViewSet.as_view({"get": "methods"})),
    path("collect/<str:order_id>/pay", DirectViewSet.as_view({"post": "pay"})),
]
