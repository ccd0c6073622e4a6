from django.urls import path

from payments.settlement.api import SettlementViewSet, StatementViewSet

urlpatterns = [
    path("settlements", SettlementViewSet.as_view({"get": "list"})),
    path("settlements/statement.csv", StatementViewSet.as_view({"get": "csv"})),
    path("settlements/statement.html", StatementViewSet.as_view({"get": "page"})),
    path("settlements/<str:settlement_id>", SettlementViewSet.as_view({"get": "retrieve"})),
    path(
        "settlements/<str:settlement_id>/statement.csv", SettlementViewSet.as_view({"get": "csv"})
    ),
    path(
        "settlements/<str:settlement_id>/statement.html", SettlementViewSet.as_view({"get": "page"})
    ),
]
