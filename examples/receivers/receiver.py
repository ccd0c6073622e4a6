"""A receiver of webhooks without any package (docs/webhooks.md). Python 3.9 or later.

WEBHOOK_SECRET=whsec_... PORT=9000 python3 receiver.py
"""

import hashlib
import hmac
import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_MS = 300_000


def is_genuine(headers, body: bytes, secret: str) -> bool:
    """headers: a mapping of the request's headers; body: the raw bytes."""
    timestamp = headers.get("X-Service-Timestamp", "")
    signature = headers.get("X-Service-Signature", "")
    if not (timestamp.isascii() and timestamp.isdigit()):
        return False
    if time.time() * 1000 - int(timestamp) > TOLERANCE_MS:
        return False
    signed = timestamp.encode() + b"." + body
    expected = "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())


# In your shop: a table with the event's id as its key, in the transaction of your own work.
seen = set()
one_at_a_time = threading.Lock()  # deliveries come side by side


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_genuine(self.headers, body, os.environ["WEBHOOK_SECRET"]):
            return self.respond(401, "not genuine")
        event_id = self.headers["X-Service-Event-Id"]
        with one_at_a_time:
            known = event_id in seen
            seen.add(event_id)
        if known:
            return self.respond(200, "known")
        message = json.loads(body)
        line = f"{event_id} {message['event']} {message['data'].get('reference', '')}"
        print(line + "\n", end="", flush=True)  # one write: lines do not mix
        return self.respond(200, "ok")  # respond first, then work: put the message into a queue

    def respond(self, status, text):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Handler).serve_forever()
