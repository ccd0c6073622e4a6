"""Two addresses."""

from django.urls import path

from benchmarks.floor.views import OneOrder, Orders

urlpatterns = [path("orders", Orders.as_view()), path("orders/<str:order_id>", OneOrder.as_view())]
