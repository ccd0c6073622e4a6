"""bank_accounts.py: entered by a person of the merchant, verified by an operator.

withdrawals.py: payouts to a verified account.
"""
