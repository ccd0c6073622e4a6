"""How personal data is masked, in the console, on receipts and in stored requests."""

SHOWN = 4


def end(text: str, *, share: int = 2) -> str:
    """`···3050`: at most the last four characters, and at most one in `share` of all."""
    shown = min(SHOWN, len(text) // share)
    return f"···{text[-shown:] if shown else ''}" if text else ""


def tail(number: str) -> str:
    """A document, account or phone. Without dots and dashes: 1.023.456 is masked as 1023456."""
    bare = "".join(char for char in number if char.isalnum())
    return end(bare) or ("···" if number else "")


def email(address: str) -> str:
    """`a***@example.com`: enough to tell two payers apart."""
    name, at, domain = address.rpartition("@")
    return f"{name[:1]}***@{domain}" if at and name else tail(address)


def contact(text: str) -> str:
    """What may be an e-mail, and is a number or an alias otherwise."""
    return email(text) if "@" in text.strip("@") else tail(text)


def full_name(name: str) -> str:
    """`M··· F··· Ñ···`: the payer recognises it, and others learn nothing."""
    return " ".join(f"{word[:1]}···" for word in name.split()[:6])
