from django.urls import path

from payments.topup.api import TopupViewSet

urlpatterns = [
    path("topup", TopupViewSet.as_view({"get": "list", "post": "create"})),
    path("topup/operators", TopupViewSet.as_view({"get": "operators"})),
    path("topup/<str:topup_id>", TopupViewSet.as_view({"get": "retrieve"})),
]
