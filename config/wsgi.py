"""WSGI entry point: loads everything at once, and prepares the process for a long life."""

# ruff: noqa: E402  The first lines make SIGTERM end the process while the rest is imported.
from config.sigterm import handle_sigterm

handle_sigterm()

import contextlib
import gc
import os
import resource
import sys
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application


def _raise_descriptor_limit() -> None:
    """To the hard limit: shells and containers often begin with 1,024 descriptors.

    A web worker needs one for each connection, and idle clients must not use them up.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # unlimited, or refused by the kernel
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# A thread that waited for PostgreSQL or Redis, perhaps holding a lock, runs again after 1 ms of
# another thread's computation instead of 5 ms.
sys.setswitchinterval(0.001)
_raise_descriptor_limit()

application = get_wsgi_application()
# Routes and views would otherwise be loaded while the first request waits.
import_module(settings.ROOT_URLCONF)

# What is loaded now stays: the garbage collector need not traverse it again and again, nor run
# after every few hundred objects. A request makes thousands, and reference counting frees them.
gc.collect()
gc.freeze()
gc.set_threshold(10_000, 10, 10)
