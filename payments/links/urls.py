"""Routes of /links. Ids are opaque: any text in their place reaches the view."""

from django.urls import path

from payments.links.api import LinkViewSet

urlpatterns = [
    path("links", LinkViewSet.as_view({"get": "list", "post": "create"})),
    path("links/<str:link_id>", LinkViewSet.as_view({"get": "retrieve", "patch": "change"})),
    path("links/<str:link_id>/image", LinkViewSet.as_view({"post": "set_image"})),
]
