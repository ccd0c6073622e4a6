"""The earlier name of `outgoing_control`: it is the same module."""

import sys

from payments.providers.simulator import outgoing_control
from payments.providers.simulator.outgoing_control import *  # noqa: F403

sys.modules[__name__] = outgoing_control
