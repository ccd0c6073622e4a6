"""One voice in messages about requests: the texts of DRF and Django are replaced by ours."""

from typing import Any

from rest_framework.fields import Field, ListField

_TEXTS = {
    "This field may not be null.": "Must not be null.",
    "This field may not be blank.": "Must not be empty.",
    "Not a valid string.": "Must be a string.",
    "Must be a valid boolean.": "Must be true or false.",
    "This list may not be empty.": "Must not be an empty list.",
    'Expected a list of items but got type "{input_type}".': "Must be a list.",
    'Expected a dictionary of items but got type "{input_type}".': "Must be a JSON object.",
    "Invalid data. Expected a dictionary, but got {datatype}.": "Must be a JSON object.",
}
# How texts begin that Django's validators bring of their own.
_FOREIGN = "Ensure this"


def use_our_voice(field: Field) -> None:
    """Changes the messages of this field. The language is English here."""
    for code, message in field.error_messages.items():
        field.error_messages[code] = _TEXTS.get(str(message), message)
    validators: list[Any] = [*field.validators]
    for validator in validators:
        message = str(getattr(validator, "message", ""))
        if message.startswith(_FOREIGN):
            validator.message = _of_limit(field, validator) or message


def _of_limit(field: Field, validator: Any) -> str | None:
    most, least = getattr(field, "max_length", None), getattr(field, "min_length", None)
    noun = "elements" if isinstance(field, ListField) else "characters"
    match validator.code:
        case "max_length" if isinstance(field, ListField) and least is not None:
            return f"Must have {least:,} to {most:,} {noun}."
        case "max_length":
            return f"Must have at most {validator.limit_value:,} {noun}."
        case "min_length":
            return f"Must have at least {validator.limit_value:,} {noun}."
        case "max_value" | "min_value":
            return _of_range(field, validator)
    return None


def _of_range(field: Field, validator: Any) -> str:
    """With both limits and their unit: a reader should not meet them one after the other."""
    unit = f" {unit}" if (unit := getattr(field, "unit", "")) else ""
    least, most = getattr(field, "min_value", None), getattr(field, "max_value", None)
    if least is not None and most is not None:
        return f"Must be from {least:,} to {most:,}{unit}."
    side = "most" if validator.code == "max_value" else "least"
    return f"Must be at {side} {validator.limit_value:,}{unit}."
