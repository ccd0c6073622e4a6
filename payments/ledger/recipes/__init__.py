"""The movements of money, one function each, with their accounts and amounts.

Call it as the last step of a transaction. Each function returns the entry, and raises AlreadyPosted
when the same fact is posted already. In the tables a + is an increase of the amount that we owe the
owner of the account (payments.ledger.models).
"""

from payments.ledger.recipes.bank import BankOpening as BankOpening
from payments.ledger.recipes.bank import DecidedLine as DecidedLine
from payments.ledger.recipes.bank import Disbursement as Disbursement
from payments.ledger.recipes.bank import ReadStatement as ReadStatement
from payments.ledger.recipes.bank import bank_line_cleared as bank_line_cleared
from payments.ledger.recipes.bank import bank_line_reopened as bank_line_reopened
from payments.ledger.recipes.bank import bank_opened as bank_opened
from payments.ledger.recipes.bank import disbursement_declared as disbursement_declared
from payments.ledger.recipes.bank import statement_imported as statement_imported
from payments.ledger.recipes.collect import Conversion as Conversion
from payments.ledger.recipes.collect import ReceivedFunds as ReceivedFunds
from payments.ledger.recipes.collect import SettledOrder as SettledOrder
from payments.ledger.recipes.collect import collect_settled as collect_settled
from payments.ledger.recipes.collect import deposit_received as deposit_received
from payments.ledger.recipes.collect import unmatched_received as unmatched_received
from payments.ledger.recipes.dispute import Disputed as Disputed
from payments.ledger.recipes.dispute import dispute_lost as dispute_lost
from payments.ledger.recipes.dispute import dispute_opened as dispute_opened
from payments.ledger.recipes.dispute import dispute_recovered as dispute_recovered
from payments.ledger.recipes.dispute import dispute_won as dispute_won
from payments.ledger.recipes.dispute import dispute_written_off as dispute_written_off
from payments.ledger.recipes.outgoing import Outgoing as Outgoing
from payments.ledger.recipes.outgoing import outgoing_completed as outgoing_completed
from payments.ledger.recipes.outgoing import outgoing_lost as outgoing_lost
from payments.ledger.recipes.outgoing import outgoing_released as outgoing_released
from payments.ledger.recipes.outgoing import outgoing_reserved as outgoing_reserved
from payments.ledger.recipes.outgoing import outgoing_returned as outgoing_returned
from payments.ledger.recipes.sandbox import sandbox_credited as sandbox_credited
from payments.ledger.recipes.settlement import SettledDay as SettledDay
from payments.ledger.recipes.settlement import settlement_taxed as settlement_taxed
from payments.ledger.recipes.unmatched import Waiting as Waiting
from payments.ledger.recipes.unmatched import unmatched_applied as unmatched_applied
from payments.ledger.recipes.unmatched import unmatched_credited as unmatched_credited
from payments.ledger.recipes.unmatched import unmatched_returned as unmatched_returned
