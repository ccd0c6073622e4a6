"""What the console's pages of payouts, top-ups and bill payments share. Registers no page."""
