"""E-mail: rows with a due time, which a task sends over Django's e-mail backend.

Other apps import `send`, `is_configured` and `is_address` from payments.mail.outbox.
"""
