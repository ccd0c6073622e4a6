from payments.payment_files.admin import batches, lines

__all__ = ["batches", "lines"]
