"""What may happen to a fake server that runs in the test's own process."""

from collections.abc import Iterator
from contextlib import contextmanager


class Outages:
    """Its server looks at both marks."""

    is_away = is_losing = False

    @contextmanager
    def away(self) -> Iterator[None]:
        self.is_away = True
        yield
        self.is_away = False

    @contextmanager
    def losing_answers(self) -> Iterator[None]:
        self.is_losing = True
        yield
        self.is_losing = False
