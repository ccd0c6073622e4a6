"""The earlier name of `outgoing_books`: it is the same module."""

import sys

from payments.providers.simulator import outgoing_books
from payments.providers.simulator.outgoing_books import *  # noqa: F403

sys.modules[__name__] = outgoing_books
