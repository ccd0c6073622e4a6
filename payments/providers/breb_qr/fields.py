"""The standard's fields: their tags, and how long they may be."""

import re

from payments.providers.breb_qr.values import KeyType

VERSION, METHOD, KEY, CATEGORY, CURRENCY, AMOUNT = "00", "01", "26", "52", "53", "54"
TIP, TIP_FIXED, TIP_PERCENTAGE = "55", "56", "57"
COUNTRY, NAME, CITY, POSTAL_CODE, ADDITIONAL = "58", "59", "60", "61", "62"
STATIC, DYNAMIC = "11", "12"
PESOS, COLOMBIA, FIRST_VERSION = "170", "CO", "01"
# A template says in its 00 what it is: CO.COM.RBM.LLA.
OWNER, TEMPLATE_VALUE = "00", "01"
KEY_NAME = "LLA"
OWNER_NAME = re.compile(r"CO\.COM\.([A-Z0-9]{2,8})\.([A-Z]{2,8})")
MOST_CHARACTERS = {
    CATEGORY: 4,
    AMOUNT: 13,
    TIP: 2,
    TIP_FIXED: 13,
    TIP_PERCENTAGE: 5,
    NAME: 25,
    CITY: 15,
    POSTAL_CODE: 10,
}
KEY_TAGS = {
    "01": KeyType.ID,
    "02": KeyType.PHONE,
    "03": KeyType.EMAIL,
    "04": KeyType.ALPHANUMERIC,
    "05": KeyType.BCODE,
}
# Templates with one value: the tag, the last part of the name, our name.
ACCOUNTS = (
    ("49", "RED", "network"),
    ("50", "CU", "merchant_code"),
    ("51", "CA", "aggregator_code"),
)
CHANNEL = ("80", "CANAL", "channel")
TAXES = (
    ("81", "CIVA", "vat_condition"),
    ("82", "IVA", "vat"),
    ("83", "BASE", "vat_base"),
    ("84", "CINC", "consumption_condition"),
    ("85", "INC", "consumption"),
)
TRANSACTION = (("90", "TRXID", "transaction_id"), ("91", "SEC", "security_hash"))
TEMPLATES = (*ACCOUNTS, CHANNEL, *TAXES, *TRANSACTION)
ADDITIONAL_TAGS = {
    "01": "invoice",
    "02": "mobile",
    "03": "store",
    "04": "loyalty",
    "05": "reference",
    "06": "customer",
    "07": "terminal",
    "08": "purpose",
    "09": "asked_of_payer",
    "10": "tax_id",
    "11": "channel",
}
