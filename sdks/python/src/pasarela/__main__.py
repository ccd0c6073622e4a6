"""`python -m pasarela` is the command `pasarela`."""

import sys

from .cli import main

sys.exit(main())
