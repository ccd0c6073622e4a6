"""Dates as lists have room for them: Django's own Spanish ones are `20 de noviembre de 2026`."""
