"""Wiring: settings, URLs, Celery, the admin site, health. Nothing imports from here."""
