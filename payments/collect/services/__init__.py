"""What can be done with orders, charges and their money. The only writers of those tables."""
