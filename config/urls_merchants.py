"""Every URL of the service, with the console of users of merchants in place of the operators'."""

from django.urls import path

from config.admin import PasarelaAdminSite
from config.urls import beside_console

urlpatterns = [path("admin/", PasarelaAdminSite.of_merchants.urls), *beside_console]
handler403 = "config.pages.forbidden"
handler404 = "config.pages.not_found"
handler500 = "config.pages.failed"
