"""What can be done with settlements: close days, read them, state a period, keep tax rules."""
