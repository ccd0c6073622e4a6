"""Routes of the page that checks receipts, mounted at /verify."""

from django.urls import path

from payments.collect import verifying

app_name = "verify"
urlpatterns = [
    path("", verifying.form),
    path("/", verifying.form, name="form"),
    path("/<str:code>", verifying.answer, name="answer"),
]
