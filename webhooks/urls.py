from django.urls import path

from webhooks.api import EventViewSet

urlpatterns = [path("events", EventViewSet.as_view({"get": "list"}))]
