"""Merchants: accounts, API keys, members, enablement, authentication."""
