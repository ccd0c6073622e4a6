"""Signals that a web worker must not miss.

While it starts, it still has the handlers of the process that forked it, which only make a note of
SIGTERM: the worker would begin to serve all the same. So the note is read here, and a later one
ends it. Once it serves, Python runs a signal's handler in the main thread alone, but the kernel may
hand the signal to any thread, for instance to one that is making another thread at that moment. The
web server's main thread waits for a lock without a limit and is not woken then: the worker would go
on serving, and be killed with requests in hand when the time for a graceful stop is over.
"""

import signal
import socket
import threading
import time

# Ignored where nobody handles it, so one that comes late does no harm.
NUDGE = signal.SIGURG
# A nudge just before the main thread begins to wait is lost, hence more than one.
NUDGES = 3
PAUSE_SECONDS = 0.1


def hear_every_signal() -> None:
    """End at SIGTERM until the server sets its handler; then wake the main thread, whoever got it.

    For a server that sets its handlers after it has loaded the application, as granian does. To be
    called by the main thread, which alone may handle signals; otherwise nothing is done.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    noted = signal.getsignal(signal.SIGTERM)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # The server's own method, in this process's copy of the server.
    if getattr(getattr(noted, "__self__", None), "interrupt_signal", False):
        signal.raise_signal(signal.SIGTERM)
    told, telling = socket.socketpair()
    telling.setblocking(False)
    # Written by the handler in C, in whichever thread it runs.
    signal.set_wakeup_fd(telling.detach(), warn_on_full_buffer=False)
    signal.signal(NUDGE, lambda number, frame: None)
    here = threading.get_ident()
    threading.Thread(target=_nudge, args=(told, here), name="signals", daemon=True).start()


def _nudge(told: socket.socket, main: int) -> None:
    while numbers := told.recv(64):
        if any(number != NUDGE for number in numbers):
            for _ in range(NUDGES):
                signal.pthread_kill(main, NUDGE)
                time.sleep(PAUSE_SECONDS)
