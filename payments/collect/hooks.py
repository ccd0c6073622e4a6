from collections.abc import Callable
from datetime import datetime

from payments.collect.models import Order
from payments.core.hooks import Hook

# Called in the transaction that completes an order.
completed: Hook[Callable[[Order, datetime], None]] = Hook()
# Whether an order that was refused may be tried again.
retry_checks: Hook[Callable[[Order], bool]] = Hook()
