"""Mails to the people of a merchant about what needs them."""
