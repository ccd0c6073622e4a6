"""Routes of the page that checks receipts, mounted at /verify."""

from django.urls import path

from payments.collect.checkout import receipt_check

app_name = "verify"
urlpatterns = [
    path("", receipt_check.form),
    path("/", receipt_check.form, name="form"),
    path("/<str:code>", receipt_check.answer, name="answer"),
]
