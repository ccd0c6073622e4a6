"""A web worker ends at SIGTERM whenever it comes, and whichever thread receives it.

Both parts work around granian 2.8 on CPython 3.11 to 3.13:

- While a worker starts, it has the handlers of the process that forked it, which only set
  `interrupt_signal`: the worker would serve all the same. So that flag is read here.
- The kernel may deliver a signal to any thread, but CPython runs the handler in the main thread
  only, and does not wake it (https://github.com/python/cpython/issues/85300,
  https://github.com/python-trio/trio/issues/109). granian's main thread waits for a lock without
  a timeout: the worker would serve on until it is killed with requests in hand.

tests/config/test_workarounds.py fails when granian has another version.
"""

import signal
import socket
import threading
import time

# Ignored by default, so that a late one does no harm.
WAKE_UP_SIGNAL = signal.SIGURG
# One that comes just before the main thread begins to wait is lost, hence several.
WAKE_UPS = 3
PAUSE_SECONDS = 0.1


def handle_sigterm() -> None:
    """Ends at SIGTERM until the server sets its handlers; from then on wakes up the main thread.

    For a server that sets its handlers after it has loaded the application, as granian does. Does
    nothing outside the main thread, where no handler can be set.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    inherited = signal.getsignal(signal.SIGTERM)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # A method of the server, in this process's copy of the server.
    if getattr(getattr(inherited, "__self__", None), "interrupt_signal", False):
        signal.raise_signal(signal.SIGTERM)
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    # CPython writes the signal's number here in C, in the thread that received it.
    signal.set_wakeup_fd(writer.detach(), warn_on_full_buffer=False)
    signal.signal(WAKE_UP_SIGNAL, lambda number, frame: None)
    main = threading.get_ident()
    threading.Thread(target=_wake_up, args=(reader, main), name="signals", daemon=True).start()


def _wake_up(reader: socket.socket, main: int) -> None:
    while numbers := reader.recv(64):
        if any(number != WAKE_UP_SIGNAL for number in numbers):
            for _ in range(WAKE_UPS):
                signal.pthread_kill(main, WAKE_UP_SIGNAL)
                time.sleep(PAUSE_SECONDS)
