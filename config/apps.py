"""The admin site of the project takes the place of Django's default one."""

from django.contrib.admin.apps import AdminConfig

from config import checks
from config.celery import app as celery_app

# Importing the Celery application here makes it the current one in every process that runs Django,
# so that `payments.core.jobs` can ring without knowing `config`.
__all__ = ["PasarelaAdminConfig", "celery_app", "checks"]


class PasarelaAdminConfig(AdminConfig):
    """Makes `django.contrib.admin.site` our console."""

    default_site = "config.admin.PasarelaAdminSite"
