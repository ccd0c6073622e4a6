"""`manage.py load_catalogues`: fills catalogues that are empty; safe to run at every start."""

from collections.abc import Callable
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand
from django.utils.module_loading import import_string

from payments.core import clock, jsontext


class Command(BaseCommand):
    """Each app's config may name a `catalogue` and its loader, `(*, now) -> rows that it made`,
    which leaves alone what is there."""

    help = "Loads the default catalogues where there are none; prints one line of JSON."

    def handle(self, *args: Any, **options: Any) -> None:
        loaded: dict[str, int] = {}
        for config in apps.get_app_configs():
            if (declared := getattr(config, "catalogue", None)) is not None:
                catalogue, path = declared
                load: Callable[..., int] = import_string(path)
                loaded[catalogue] = load(now=clock.now())
        self.stdout.write(jsontext.dumps({"loaded": loaded}))
