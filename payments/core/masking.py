"""Masks personal data in the console, on receipts and in stored requests."""


def end(text: str, *, share: int = 2) -> str:
    """Shows the end, as in `···3050`: at most four characters and at most 1/`share` of the text."""
    shown = min(4, len(text) // share)
    return f"···{text[-shown:] if shown else ''}" if text else ""


def tail(number: str) -> str:
    """Masks a document, account or phone. Dots and dashes do not count as characters."""
    bare = "".join(char for char in number if char.isalnum())
    return end(bare) or ("···" if number else "")


def both_ends(number: str) -> str:
    """`123···8901`, for who knows the number and compares it. A short one shows its end alone."""
    bare = "".join(char for char in number if char.isalnum())
    return f"{bare[:3]}{end(bare)}" if len(bare) >= 10 else tail(number)


def email(address: str) -> str:
    """`a***@example.com`."""
    name, at, domain = address.rpartition("@")
    return f"{name[:1]}***@{domain}" if at and name else tail(address)


def contact(text: str) -> str:
    """Masks an e-mail address, a number or an alias."""
    return email(text) if "@" in text.strip("@") else tail(text)


def full_name(name: str, *, hidden: str = "···") -> str:
    """`M··· F··· Ñ···`, a form that only the payer recognises."""
    return " ".join(f"{word[:1]}{hidden}" for word in name.split()[:6])
