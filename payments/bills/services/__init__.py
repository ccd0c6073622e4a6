"""What can be done with agreements, debts and bill payments."""
