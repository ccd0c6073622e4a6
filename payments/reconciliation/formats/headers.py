import unicodedata


def plain(name: str) -> str:
    """The name of a column without accents and capitals."""
    decomposed = unicodedata.normalize("NFD", name.strip().casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))
