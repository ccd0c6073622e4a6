"""Blocks and transactions as the node stores them, read strictly.

A block of 4 MB in JSON has 20 MB and takes seconds. Its own bytes take a tenth, and prove their
hash and the ids of their transactions, so that a wrong answer is noticed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

HEADER_BYTES = 80
HASH_BYTES = 32
WITNESS_FLAG = b"\x00\x01"
# All coins that there can be.
MAX_UNITS = 21_000_000 * 10**8


class InvalidRaw(ValueError):
    """Bytes that are no block or transaction."""


@dataclass(frozen=True, slots=True)
class RawOutput:
    units: int
    script: bytes


@dataclass(frozen=True, slots=True)
class RawTransaction:
    id: str
    outputs: Sequence[RawOutput]


@dataclass(frozen=True, slots=True)
class RawHeader:
    hash: str
    parent: str
    merkle_root: bytes
    time: datetime


@dataclass(frozen=True, slots=True)
class RawBlock:
    header: RawHeader
    transactions: Sequence[RawTransaction]


def parse_header(raw: bytes) -> RawHeader:
    """Raises InvalidRaw."""
    if len(raw) != HEADER_BYTES:
        raise InvalidRaw("a header has 80 bytes")
    seconds = int.from_bytes(raw[68:72], "little")
    return RawHeader(
        hash=_shown(_double_sha(raw)),
        parent=_shown(raw[4:36]),
        merkle_root=raw[36:68],
        time=datetime.fromtimestamp(seconds, UTC),
    )


def parse_block(raw: bytes) -> RawBlock:
    """Raises InvalidRaw, also for transactions that are not those of the header."""
    header = parse_header(raw[:HEADER_BYTES])
    reader = _Reader(raw, HEADER_BYTES)
    digests, transactions = [], []
    for _ in range(reader.count()):
        digest, outputs = reader.transaction()
        digests.append(digest)
        transactions.append(RawTransaction(_shown(digest), outputs))
    reader.end()
    # A repeated transaction can leave the root as it is.
    if len(set(digests)) != len(digests) or _merkle_root(digests) != header.merkle_root:
        raise InvalidRaw("the transactions are not those of the header")
    return RawBlock(header, transactions)


def parse_transaction(raw: bytes) -> RawTransaction:
    """Raises InvalidRaw."""
    reader = _Reader(raw, 0)
    digest, outputs = reader.transaction()
    reader.end()
    return RawTransaction(_shown(digest), outputs)


class _Reader:
    def __init__(self, raw: bytes, position: int) -> None:
        self.raw = raw
        self.position = position

    def transaction(self) -> tuple[bytes, list[RawOutput]]:
        """Its digest leaves out the witnesses, whose signatures anybody could change."""
        start = self.position
        self._skip(4)
        has_witness = self.raw[self.position : self.position + 2] == WITNESS_FLAG
        body = self.position + 2 if has_witness else self.position
        self.position = body
        inputs = self._inputs()
        outputs = [self._output() for _ in range(self.count())]
        end = self.position
        if has_witness:
            self._witnesses(inputs)
        self._skip(4)
        raw = self.raw
        stripped = raw[start : start + 4] + raw[body:end] + raw[self.position - 4 : self.position]
        return _double_sha(stripped), outputs

    def count(self) -> int:
        """Also the lengths of what follows, so it is never above the bytes that are left."""
        first = self._number(1)
        found = first if first < 0xFD else self._number(1 << (first - 0xFC))
        if found > len(self.raw) - self.position:
            raise InvalidRaw("it ends too early")
        return found

    def end(self) -> None:
        if self.position != len(self.raw):
            raise InvalidRaw("something follows its end")

    def _inputs(self) -> int:
        found = self.count()
        if not found:
            raise InvalidRaw("a transaction without inputs")
        for _ in range(found):
            self._skip(HASH_BYTES + 4)
            self._skip(self.count() + 4)
        return found

    def _output(self) -> RawOutput:
        units = self._number(8)
        if units > MAX_UNITS:
            raise InvalidRaw("more than all coins")
        length = self.count()
        start = self.position
        self._skip(length)
        return RawOutput(units, self.raw[start : start + length])

    def _witnesses(self, inputs: int) -> None:
        for _ in range(inputs):
            for _ in range(self.count()):
                self._skip(self.count())

    def _number(self, length: int) -> int:
        start = self.position
        self._skip(length)
        return int.from_bytes(self.raw[start : self.position], "little")

    def _skip(self, length: int) -> None:
        self.position += length
        if self.position > len(self.raw):
            raise InvalidRaw("it ends too early")


def _merkle_root(digests: list[bytes]) -> bytes:
    if not digests:
        raise InvalidRaw("a block without transactions")
    while len(digests) > 1:
        if len(digests) % 2:
            digests = [*digests, digests[-1]]
        pairs = zip(digests[::2], digests[1::2], strict=True)
        digests = [_double_sha(left + right) for left, right in pairs]
    return digests[0]


def _double_sha(raw: bytes) -> bytes:
    return sha256(sha256(raw).digest()).digest()


def _shown(digest: bytes) -> str:
    """Bitcoin shows hashes backwards."""
    return digest[::-1].hex()
