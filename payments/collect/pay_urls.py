"""Routes of the hosted payment page, mounted at /pay/. Whatever else stands there is a kind 404."""

from django.urls import path, re_path

from payments.collect import looking, pages

app_name = "pay"
urlpatterns = [
    path("<str:token>", pages.show, name="show"),
    path("<str:token>/methods", pages.methods, name="methods"),
    path("<str:token>/pse", pages.pse, name="pse"),
    path("<str:token>/transfer", pages.transfer, name="transfer"),
    path("<str:token>/crypto", pages.crypto, name="crypto"),
    path("<str:token>/with/<str:key>", pages.direct_method, name="direct_method"),
    path("<str:token>/go", pages.go, name="go"),
    path("<str:token>/return", pages.come_back, name="return"),
    path("<str:token>/paid", looking.already_paid, name="already_paid"),
    path("<str:token>/state", pages.state, name="state"),
    re_path(r"", pages.not_found, name="not_found"),
]
