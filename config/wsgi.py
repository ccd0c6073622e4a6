"""WSGI entry point for granian: loads everything, and then settles down for a long life."""

# ruff: noqa: E402  Before anything that takes time: until then a SIGTERM is not heard.
from config.wakeup import hear_every_signal

hear_every_signal()

import gc
import os
import sys
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.descriptors import raise_descriptor_limit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Who waits for PostgreSQL or Redis, perhaps with a lock in hand, gets its turn back after one
# millisecond of another thread's computing, not after five.
sys.setswitchinterval(0.001)
raise_descriptor_limit()

application = get_wsgi_application()
# Routes and views are otherwise loaded while the first request waits.
import_module(settings.ROOT_URLCONF)

# What is loaded now stays for ever: the collector need not look through it again and again, nor
# begin after every few hundred objects. A request makes thousands, and they end by themselves.
gc.collect()
gc.freeze()
gc.set_threshold(10_000, 10, 10)
