from django.conf import settings
from django.contrib import admin
from django.contrib.admin.apps import SimpleAdminConfig

from config import checks, product_checks

__all__ = ["PasarelaAdminConfig", "checks", "product_checks"]


class PasarelaAdminConfig(SimpleAdminConfig):
    default_site = "config.admin.PasarelaAdminSite"

    def ready(self) -> None:
        super().ready()
        if settings.LOADS_CONSOLE:
            admin.autodiscover()
