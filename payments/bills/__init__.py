"""Bill payments: agreements that are searched, debts that are checked, bills that are paid."""
