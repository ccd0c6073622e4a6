"""Makes a web worker end at every SIGTERM.

Two workarounds for granian 2.8 on CPython 3.11 to 3.13:

- A worker that starts has the handlers of its parent process, which only set `interrupt_signal`. So
  that flag is read here.
- The kernel may deliver a signal to any thread, but CPython runs the handler in the main thread and
  does not wake it (https://github.com/python/cpython/issues/85300,
  https://github.com/python-trio/trio/issues/109). granian's main thread waits for a lock without a
  timeout, and the worker would serve until it is killed.

tests/config/test_workarounds.py fails when granian has another version.
"""

import signal
import socket
import threading
import time

# A signal that is ignored by default, so that a late one does no harm.
WAKE_UP_SIGNAL = signal.SIGURG
# Several wake-ups are sent, because a wake-up is lost if it comes just before the main thread
# waits.
WAKE_UPS = 3
PAUSE_SECONDS = 0.1


def handle_sigterm() -> None:
    """Ends the process at SIGTERM until the server sets its handlers, and later wakes them up.

    For a server that loads the application before it sets its handlers, such as granian. Does
    nothing outside the main thread, which cannot set handlers.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    inherited = signal.getsignal(signal.SIGTERM)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # The parent's handler is a method of the server object. This process has a copy of that object.
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
