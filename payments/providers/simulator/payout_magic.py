"""The earlier names of the payouts' part of `outgoing_magic`."""

from payments.providers.simulator.outgoing_magic import *  # noqa: F403
from payments.providers.simulator.outgoing_magic import BY_KEY, Product

BY_DOCUMENT = BY_KEY[Product.PAYOUT]
