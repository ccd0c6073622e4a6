"""Routes of the hosted payment page, mounted at /pay/. Every other path below it is a 404 page."""

from django.urls import path, re_path

from payments.collect.checkout import (
    payment_lookup,
    receipt_mailing,
    receipt_pdf,
    retry,
    views,
)
from payments.collect.checkout.refund_destination import refund_destination

app_name = "pay"
urlpatterns = [
    path("<str:token>", views.show, name="show"),
    path("<str:token>/methods", views.methods, name="methods"),
    path("<str:token>/pse", views.pse, name="pse"),
    path("<str:token>/transfer", views.transfer, name="transfer"),
    path("<str:token>/crypto", views.crypto, name="crypto"),
    path("<str:token>/with/<str:key>", views.direct_method, name="direct_method"),
    path("<str:token>/go", views.bank_redirect, name="go"),
    path("<str:token>/return", views.bank_return, name="return"),
    path("<str:token>/refund/<str:signed>", refund_destination, name="refund_destination"),
    path("<str:token>/receipt", receipt_mailing.mail_receipt, name="mail_receipt"),
    path("<str:token>/again", retry.try_again, name="try_again"),
    path("<str:token>/receipt.pdf", receipt_pdf.receipt_pdf, name="receipt_pdf"),
    path("<str:token>/paid", payment_lookup.already_paid, name="already_paid"),
    path("<str:token>/state", views.live_state, name="state"),
    re_path(r"", views.not_found, name="not_found"),
]
