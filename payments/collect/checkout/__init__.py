"""The pages that payers see: an order's page, its receipt, the check of a receipt's code."""
