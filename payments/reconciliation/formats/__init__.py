from payments.reconciliation.formats.recognition import parse

__all__ = ["parse"]
