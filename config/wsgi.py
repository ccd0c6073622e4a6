"""The WSGI entry point, which loads everything and sets up the process."""

# ruff: noqa: E402  The first lines make SIGTERM end the process while the rest is imported.
import gc

from config.sigterm import handle_sigterm

handle_sigterm()
# Nothing that is imported becomes garbage. To look for it would take a fifth of the start.
gc.disable()

import contextlib
import os
import resource
import sys
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.lean_imports import import_rest_framework


def _raise_descriptor_limit() -> None:
    """A web worker needs a descriptor for each connection, and the default is often 1,024."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # unlimited, or refused by the kernel
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# A thread that has waited for PostgreSQL or Redis runs again after 1 ms of another thread's
# computation instead of 5 ms.
sys.setswitchinterval(0.001)
_raise_descriptor_limit()
import_rest_framework()

application = get_wsgi_application()
# So that the first request does not wait until routes and views are loaded.
import_module(settings.ROOT_URLCONF)

# The garbage collector skips what is loaded now and runs less often. Reference counting frees the
# thousands of objects of a request. To collect before took a seventh of the start: it looked at
# 380,000 objects and freed 5,000, of less than a megabyte.
gc.freeze()
gc.set_threshold(10_000, 10, 10)
gc.enable()
