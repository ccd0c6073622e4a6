from tests.chains.accounts import chain_accounts  # noqa: F401
