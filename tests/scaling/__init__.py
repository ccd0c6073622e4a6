"""Past one machine: a pooler, another broker, several machines, a replica (docs/scaling.md).

Each experiment has servers of its own; where an optional program is not installed it says so.
"""

import pytest

from tests.faults import SCALE

# Several web servers and workers, or an Erlang: too much for `make test`.
full_size_only = pytest.mark.skipif(SCALE < 1, reason="at full size only: make scaling")
