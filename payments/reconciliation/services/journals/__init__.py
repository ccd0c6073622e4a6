"""A day of an account as entries with PUC accounts, for accountants."""
