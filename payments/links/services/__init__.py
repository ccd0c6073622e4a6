"""What can be done with payment links."""
