from django.urls import path

from webhooks.api import EventViewSet
from webhooks.endpoint_api import EndpointViewSet

urlpatterns = [
    path("events", EventViewSet.as_view({"get": "list"})),
    path("webhook-endpoints", EndpointViewSet.as_view({"get": "list", "post": "create"})),
    path(
        "webhook-endpoints/<str:endpoint_id>",
        EndpointViewSet.as_view({"get": "retrieve", "patch": "change", "delete": "destroy"}),
    ),
    path(
        "webhook-endpoints/<str:endpoint_id>/rotate-secret",
        EndpointViewSet.as_view({"post": "rotate"}),
    ),
    path("webhook-endpoints/<str:endpoint_id>/test", EndpointViewSet.as_view({"post": "test"})),
    path("webhook-endpoints/<str:endpoint_id>/resend", EndpointViewSet.as_view({"post": "resend"})),
]
