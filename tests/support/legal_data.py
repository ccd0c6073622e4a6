"""The legal data of a shop, which its payers see."""

from merchants.legal.models import LegalData
from merchants.models import Merchant


def give_legal_data(merchant: Merchant) -> LegalData:
    """Once or more often."""
    given = {
        "legal_name": "Café Andino S.A.S.",
        "nit": "890903938",
        "address": "Calle 18 # 25-40",
        "city": "Pasto",
        "contact_email": "hola@cafe.example",
        "contact_phone": "+576025551234",
    }
    return LegalData.objects.get_or_create(merchant=merchant, defaults=given)[0]
