"""`manage.py load_catalogues`: fills catalogues that are empty; safe to run at every start."""

from collections.abc import Callable

from django.apps import apps
from django.core.management.base import BaseCommand
from django.utils.module_loading import import_string

from payments.core import clock, jsontext


class Command(BaseCommand):
    """An app's config may name a `catalogue` and its loader, `(*, now) -> number of new rows`."""

    help = "Loads the default catalogues where there are none; prints one line of JSON."

    def handle(self, *args: object, **options: object) -> None:
        loaded: dict[str, int] = {}
        for config in apps.get_app_configs():
            if (declared := getattr(config, "catalogue", None)) is not None:
                catalogue, path = declared
                load: Callable[..., int] = import_string(path)
                loaded[catalogue] = load(now=clock.now())
        self.stdout.write(jsontext.dumps({"loaded": loaded}))
