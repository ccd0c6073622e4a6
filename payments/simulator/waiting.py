"""A provider that does not answer: the caller's time passes, and nothing else happens."""

import threading

# Set to end every wait at once, also those under way: for tests and for shutting down.
released = threading.Event()


def hang(seconds: float) -> None:
    """Waits, holding nothing: neither a lock nor a connection to the books."""
    released.wait(max(0.0, seconds))
