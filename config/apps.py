from django.contrib.admin.apps import AdminConfig

from config import checks, product_checks
from config.celery import app as celery_app

# Importing the Celery application makes it the current one in every process that runs Django, so
# that `payments.core.jobs` can send wake-ups without importing `config`.
__all__ = ["PasarelaAdminConfig", "celery_app", "checks", "product_checks"]


class PasarelaAdminConfig(AdminConfig):
    default_site = "config.admin.PasarelaAdminSite"
