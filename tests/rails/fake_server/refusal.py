"""An answer that ends a request early."""

from tests.rails.fake_server.store import Document


class Refusal(Exception):
    """The rail's own error body. `complaint` names the mistake if a good client never makes it."""

    def __init__(self, status: int, body: Document, complaint: str = "") -> None:
        super().__init__(f"{status} {body}")
        self.status = status
        self.body = body
        self.complaint = complaint
