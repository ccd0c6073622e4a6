"""What the service guarantees under faults and load: a tenth of the size in `make test`, all of it
in `make faults`, which sets FAULTS_SCALE=1. Each experiment prints its numbers and ends with
`check_invariants`.
"""

import os

SCALE = float(os.environ.get("FAULTS_SCALE", "0.1"))


def scaled(full: int) -> int:
    """The size of an experiment: never less than one."""
    return max(1, round(full * SCALE))
