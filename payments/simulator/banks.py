"""The banks of PSE by their codes at the rail: 1000 + the code of the clearing house."""

from unicodedata import normalize

from payments.providers.ports import Bank

_NAMES = {
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


def _sort_key(bank: Bank) -> str:
    """The name without accents and in lower case."""
    return normalize("NFD", bank.name).encode("ascii", "ignore").decode().lower()


BANKS = tuple(sorted((Bank(code=c, name=n) for c, n in _NAMES.items()), key=_sort_key))
BANK_NAMES = {bank.code: bank.name for bank in BANKS}
BANK_CODES = frozenset(_NAMES)
