"""Post entries, read balances and movements, verify the ledger. Products post by `recipes`."""

from payments.ledger.services.accounts import AccountRef as AccountRef
from payments.ledger.services.accounts import PostingLine as PostingLine
from payments.ledger.services.accounts import available as available
from payments.ledger.services.accounts import balances as balances
from payments.ledger.services.accounts import clearing as clearing
from payments.ledger.services.accounts import conversion as conversion
from payments.ledger.services.accounts import fees as fees
from payments.ledger.services.accounts import held as held
from payments.ledger.services.accounts import losses as losses
from payments.ledger.services.accounts import merchant_accounts as merchant_accounts
from payments.ledger.services.accounts import sandbox as sandbox
from payments.ledger.services.accounts import suspense as suspense
from payments.ledger.services.accounts import taxes as taxes
from payments.ledger.services.accounts import transfer as transfer
from payments.ledger.services.entries import AlreadyPosted as AlreadyPosted
from payments.ledger.services.entries import HoldUnderflow as HoldUnderflow
from payments.ledger.services.entries import InsufficientBalance as InsufficientBalance
from payments.ledger.services.entries import post as post
from payments.ledger.services.movements import Movement as Movement
from payments.ledger.services.movements import MovementFilters as MovementFilters
from payments.ledger.services.movements import list_movements as list_movements
from payments.ledger.services.movements import read_movements as read_movements
from payments.ledger.services.verification import Problem as Problem
from payments.ledger.services.verification import Report as Report
from payments.ledger.services.verification import verify as verify
