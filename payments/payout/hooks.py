from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from payments.core.hooks import Hook
from payments.payout.models import Payout

# Why a payout may not be sent any more. Empty: it may.
refusals: Hook[Callable[[Payout, datetime], str]] = Hook()
# {id: its title}, of those payouts among the ids that people know as withdrawals.
withdrawals: Hook[Callable[[Sequence[str]], Mapping[str, str]]] = Hook()
