from payments.chains.admin import addresses, cursors, deposits

__all__ = ["addresses", "cursors", "deposits"]
