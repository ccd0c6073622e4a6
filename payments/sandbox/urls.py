from django.urls import path

from payments.sandbox.api import SandboxViewSet

urlpatterns = [
    path("collect/<str:order_id>", SandboxViewSet.as_view({"post": "collect"})),
    path("collect/<str:order_id>/dispute", SandboxViewSet.as_view({"post": "dispute_order"})),
    path("dispute/<str:dispute_id>", SandboxViewSet.as_view({"post": "dispute"})),
    path("refund/<str:refund_id>", SandboxViewSet.as_view({"post": "refund"})),
    path("payout/<str:payout_id>", SandboxViewSet.as_view({"post": "payout"})),
    path("settlement", SandboxViewSet.as_view({"post": "settlement"})),
    path("balance", SandboxViewSet.as_view({"post": "balance"})),
]
