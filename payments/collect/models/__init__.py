"""Tables of collections. What can be done with them is in services/."""

from payments.collect.models.charges import Charge as Charge
from payments.collect.models.charges import Flow as Flow
from payments.collect.models.dispute_files import DisputeFile as DisputeFile
from payments.collect.models.disputes import Dispute as Dispute
from payments.collect.models.orders import LinkTally as LinkTally
from payments.collect.models.orders import Order as Order
from payments.collect.models.orders import OrderTally as OrderTally
from payments.collect.models.orders import PaidTally as PaidTally
from payments.collect.models.orders import new_token as new_token
from payments.collect.models.receipts import Receipt as Receipt
from payments.collect.models.refund_transactions import RefundTransaction as RefundTransaction
from payments.collect.models.refunds import Refund as Refund
from payments.collect.models.unmatched import UnmatchedFunds as UnmatchedFunds
