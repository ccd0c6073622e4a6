"""Routes of links' pages, mounted at /l/. A code has no slash and is never `of`."""

from django.urls import path, re_path

from payments.links.checkout import printed, views

app_name = "links"
urlpatterns = [
    path("of/<str:link_id>", views.of_order, name="of_order"),
    path("<str:code>", views.show, name="show"),
    re_path(r"^(?P<code>[^/]+)/qr\.(?P<kind>svg|png)$", printed.qr, name="qr"),
    re_path(r"^(?P<code>[^/]+)/print/(?P<kind>a6|tent)$", printed.sheet, name="sheet"),
]
