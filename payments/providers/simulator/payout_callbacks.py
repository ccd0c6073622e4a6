"""The earlier name of `outgoing_callbacks`: it is the same module."""

import sys

from payments.providers.simulator import outgoing_callbacks
from payments.providers.simulator.outgoing_callbacks import *  # noqa: F403

sys.modules[__name__] = outgoing_callbacks
