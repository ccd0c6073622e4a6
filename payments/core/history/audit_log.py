from payments.core.history.tables import HistoryTable, for_months
from payments.core.products import products

# Rows about people, keys, accounts, routes and switches are few, and decide later who may approve
# what (console/four_eyes.py). Only rows about these records are dropped, when they have ended.
_RECORDS = (
    *(each.name for each in products()),
    "order",
    "charge",
    "dispute",
    "unmatchedfunds",
    "receipt",
    "billpayment",
    "event",
    "delivery",
    "export",
)
AUDIT_LOG = HistoryTable(
    table="core_auditentry",
    first_kept=for_months("AUDIT_MONTHS"),
    kept=f"h.subject_type NOT IN {_RECORDS} OR h.subject_id IN %(open)s",
)
