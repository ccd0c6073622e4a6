"""Pages of the simulator, mounted at /simulator/ only while it is the configured provider."""

from django.urls import path

from payments.simulator import pages

app_name = "simulator"
urlpatterns = [
    path("bank/<str:provider_id>", pages.bank, name="bank"),
    path("wallet/<str:provider_id>", pages.wallet, name="wallet"),
    path("key/<str:provider_id>", pages.key, name="key"),
    path("transfer/<str:provider_id>", pages.transfer, name="transfer"),
    path("crypto/<str:provider_id>", pages.crypto, name="crypto"),
]
