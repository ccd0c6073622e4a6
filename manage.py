#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Commands check every page and link to it, in containers of each role.
    os.environ["WEB_ROLE"] = "all"
    # Migrations and proofs of the books may take their time.
    os.environ.setdefault("DATABASE_STATEMENT_TIMEOUT_SECONDS", "0")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)
