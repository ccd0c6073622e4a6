"""Banks that a PAB file reaches, by their codes at ACH Colombia."""

from payments.payment_files.pab import AccountType
from payments.providers.ports import PayoutBank

BANCOLOMBIA = "1007"
NAMES = {
    "1001": "Banco de Bogotá",
    "1002": "Banco Popular",
    "1006": "Itaú (antes Corpbanca)",
    "1007": "Bancolombia",
    "1009": "Citibank",
    "1012": "GNB Sudameris",
    "1013": "BBVA Colombia",
    "1014": "Itaú",
    "1019": "Scotiabank Colpatria",
    "1023": "Banco de Occidente",
    "1031": "Bancóldex",
    "1032": "Banco Caja Social",
    "1040": "Banco Agrario",
    "1047": "Banco Mundo Mujer",
    "1051": "Davivienda",
    "1052": "AV Villas",
    "1053": "Banco W",
    "1059": "Bancamía",
    "1060": "Banco Pichincha",
    "1061": "Bancoomeva",
    "1062": "Banco Falabella",
    "1063": "Banco Finandina",
    "1065": "Santander de Negocios",
    "1066": "Coopcentral",
    "1067": "Mibanco",
    "1069": "Banco Serfinanza",
    "1070": "Lulo Bank",
    "1071": "J.P. Morgan Colombia",
    "1097": "Dale",
    "1121": "Juriscoop",
    "1151": "RappiPay",
    "1283": "CFA Cooperativa Financiera",
    "1286": "JFK Cooperativa Financiera",
    "1289": "Cotrafa",
    "1291": "Coofinep",
    "1292": "Confiar",
    "1303": "Giros y Finanzas",
    "1370": "Coltefinanciera",
    "1507": "Nequi",
    "1551": "DaviPlata",
    "1558": "Credifinanciera",
    "1637": "Iris",
    "1801": "Movii",
    "1802": "Ding",
    "1804": "Ualá",
    "1805": "BTG Pactual Colombia",
}
# They have deposits of low amount and no savings or checking accounts.
WALLETS = frozenset({"1097", "1507", "1551", "1801", "1802"})
# The bank in the file: five zeros and the code.
_PREFIX = "00000"
BANKS = tuple(
    PayoutBank(code=_PREFIX + code, ach_code=code, name=name) for code, name in NAMES.items()
)
_ACCOUNT_TYPES = {"SAVINGS": AccountType.SAVINGS, "CHECKING": AccountType.CHECKING}


def ach_code(code: str) -> str:
    """Of the nine digits in the file. Empty for no bank."""
    bank = code.removeprefix(_PREFIX) if len(code) == 9 else ""
    return bank if bank in NAMES else ""


def account_type(bank: str, wanted: str) -> AccountType | None:
    """None for a type that no file has."""
    return AccountType.WALLET if bank in WALLETS else _ACCOUNT_TYPES.get(wanted)
