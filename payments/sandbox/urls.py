"""Routes of /sandbox."""

from django.urls import path

from payments.sandbox.api import SandboxViewSet

urlpatterns = [
    path("collect/<str:order_id>", SandboxViewSet.as_view({"post": "collect"})),
    path("payout/<str:payout_id>", SandboxViewSet.as_view({"post": "payout"})),
    path("balance", SandboxViewSet.as_view({"post": "balance"})),
]
