from collections.abc import Callable
from datetime import datetime

from payments.core.hooks import Hook
from payments.payout.models import Payout

# Why a payout may not be sent any more. Empty: it may.
refusals: Hook[Callable[[Payout, datetime], str]] = Hook()
