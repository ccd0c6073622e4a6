"""What the console's pages of outgoing payments share. Registers no page."""
