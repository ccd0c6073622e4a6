"""A receiver of webhooks without any package (docs/guides/en/webhooks.md). Python 3.9 or later.

WEBHOOK_SECRET=whsec_... PORT=9000 python3 receiver.py
"""

import base64
import hashlib
import hmac
import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300


def is_genuine(headers, body: bytes, secret: str) -> bool:
    """headers: a mapping of the request's headers; body: the raw bytes."""
    event_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdigit()):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    given = headers.get("webhook-signature", "").split(" ")  # two while a secret is replaced
    return any(hmac.compare_digest(expected.encode(), each.encode()) for each in given)


# In your shop: a table with the event's id as its key, in the transaction of your own work.
seen = set()
one_at_a_time = threading.Lock()  # deliveries come side by side


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_genuine(self.headers, body, os.environ["WEBHOOK_SECRET"]):
            return self.respond(401, "not genuine")
        event_id = self.headers["webhook-id"]
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
    port = int(os.environ.get("PORT", "9000"))
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    print(f"Waiting for webhooks on http://localhost:{port}/", flush=True)
    server.serve_forever()
