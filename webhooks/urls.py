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
]
