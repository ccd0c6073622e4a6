"""Payouts: a merchant sends money from its balance to a bank account or an instant key."""
