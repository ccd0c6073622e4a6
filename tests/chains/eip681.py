"""A parser of payment links, written from the grammar of EIP-681 and not from our builder."""

import re
from dataclasses import dataclass
from decimal import Decimal

# request            = schema_prefix target_address [ "@" chain_id ] [ "/" function_name ]
#                      [ "?" parameters ]
# schema_prefix      = "ethereum" ":" [ "pay-" ]
# chain_id           = 1*DIGIT
# target_address     = ethereum_address
# parameters         = parameter *( "&" parameter )
# parameter          = key "=" value
# key                = "value" / "gas" / "gasLimit" / "gasPrice" / TYPE
# number             = [ "-" / "+" ] *DIGIT [ "." 1*DIGIT ] [ ( "e" / "E" ) [ 1*DIGIT ] ]
REQUEST = re.compile(
    r"ethereum:(?:pay-)?(?P<target>0x[0-9a-fA-F]{40})(?:@(?P<chain>[0-9]+))?"
    r"(?:/(?P<function>[A-Za-z_][A-Za-z0-9_]*))?(?:\?(?P<parameters>[^#\s]+))?"
)
NUMBER = re.compile(r"[-+]?[0-9]*(?:\.[0-9]+)?(?:[eE][0-9]*)?")
KEYS = re.compile(r"value|gas|gasLimit|gasPrice|uint256|address")


@dataclass(frozen=True)
class Request:
    target: str
    chain: int
    function: str | None
    parameters: dict[str, str]

    def number(self, name: str) -> int:
        text = self.parameters[name]
        assert NUMBER.fullmatch(text), text
        value = Decimal(text)
        assert value == int(value), "no whole number of the smallest unit"
        return int(value)


def parse(link: str) -> Request:
    """Raises ValueError for what is no payment link."""
    found = REQUEST.fullmatch(link)
    if found is None:
        raise ValueError(link)
    pairs = [one.split("=") for one in (found["parameters"] or "").split("&") if one]
    if any(len(pair) != 2 or not KEYS.fullmatch(pair[0]) or not pair[1] for pair in pairs):
        raise ValueError(link)
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError(link)
    return Request(found["target"], int(found["chain"] or 1), found["function"], dict(pairs))
