"""As few settings as Django REST framework works with; of the service only how it connects."""

import os

import environ

SECRET_KEY = "only-for-a-benchmark"
DEBUG = False
ALLOWED_HOSTS = ["*"]
INSTALLED_APPS = ["rest_framework", "benchmarks.floor"]
MIDDLEWARE: list[str] = []
ROOT_URLCONF = "benchmarks.floor.urls"
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATABASES = {
    "default": environ.Env.db_url_config(os.environ["FLOOR_DATABASE_URL"])
    | {
        "ENGINE": "django.db.backends.postgresql",
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
    }
}
DATABASES["default"].setdefault("OPTIONS", {}).update(server_side_binding=True, prepare_threshold=3)
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
}
