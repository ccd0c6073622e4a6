from payments.rates.admin import feed, rates

__all__ = ["feed", "rates"]
