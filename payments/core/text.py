"""Text from people, in the form that machines compare."""


def normalised_document(number: str) -> str:
    """Letters and digits in upper case: what search and rails use (docs/gaps.md, Documents)."""
    return "".join(char for char in number if char.isalnum()).upper()
