"""An import of a statement in a process of its own: python -m tests.faults.importing_process.

A line of input is [FILE, MILLISECONDS] as JSON. A fork imports the file with the command. It is
killed after so many milliseconds, unless they are 0. A line of output is the fork's exit code (-9
if it was killed), its seconds, and the most memory that it had, in MB.
"""

import json
import os
import signal
import sys
import threading
import time

import django


def main() -> None:
    django.setup()
    from django.core.management import call_command

    # Whatever the command imports is imported once, before the forks.
    import payments.reconciliation.management.commands.import_statement  # noqa: F401

    for line in sys.stdin:
        path, milliseconds = json.loads(line)
        began = time.monotonic()
        child = os.fork()
        if child == 0:
            os.dup2(2, 1)
            call_command("import_statement", path)
            os._exit(0)
        if milliseconds:
            threading.Timer(milliseconds / 1000, os.kill, (child, signal.SIGKILL)).start()
        _, status, usage = os.wait4(child, 0)
        code = os.waitstatus_to_exitcode(status)
        print(json.dumps([code, time.monotonic() - began, usage.ru_maxrss / 1024]), flush=True)


if __name__ == "__main__":
    main()
