"""Services of agreements, debts and bill payments."""
