"""As much of curl as our examples use: not every machine has one. Run as a program.

It prints the body of the answer and appends [status, headers, body] to the file that CURL_LOG
names. An option that it does not know is exit code 2, as of curl.
"""

import http.client
import json
import os
import sys
from urllib.parse import urlsplit

SWITCHES = {"-s", "-S", "-sS", "--insecure"}


def main(arguments: list[str]) -> int:
    method, address, body, headers = "", "", None, {}
    words = iter(arguments)
    for word in words:
        if word == "-X":
            method = next(words)
        elif word == "-H":
            name, _colon, value = next(words).partition(":")
            headers[name] = value.strip()
        elif word == "-d":
            body = next(words).encode()
        elif word.startswith("-") and word not in SWITCHES:
            return 2
        elif not word.startswith("-"):
            address = word
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    connection.request(method or ("POST" if body else "GET"), target, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    named = {name.lower(): value for name, value in answer.getheaders()}
    with open(os.environ["CURL_LOG"], "a") as log:
        log.write(json.dumps([answer.status, named, text]) + "\n")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
