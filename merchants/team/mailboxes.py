"""Two accounts with one mailbox are one person."""


def mailbox_of(address: str) -> str:
    """`ana+caja@tienda.co` and `Ana@tienda.co` are one mailbox. Empty without an address."""
    name, _at, domain = address.strip().lower().rpartition("@")
    return f"{name.partition('+')[0]}@{domain}" if name else ""
