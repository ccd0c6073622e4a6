"""What one process of the same HTTP library can send, doing nothing else: no rows, no signature.

`python -m benchmarks.raw_sender URL COUNT WINDOW BODY` prints the seconds that it took.
"""

import asyncio
import sys
import time

import aiohttp

# As many, and as long, as the service sends.
HEADERS = {
    "Content-Type": "application/json",
    "User-Agent": "Pasarela-Webhooks/1",
    "Accept-Encoding": "identity",
    "X-Service-Timestamp": "1769871845123",
    "X-Service-Signature": "sha256=" + "0" * 64,
    "X-Service-Event-Id": "evt_" + "0" * 26,
    "X-Service-Attempt": "1",
    "webhook-id": "evt_" + "0" * 26,
    "webhook-timestamp": "1769871845",
    "webhook-signature": "v1," + "0" * 44,
}


async def send(url: str, count: int, window: int, body: bytes) -> float:
    """`window` at a time, until `count` were answered 2xx."""
    left = iter(range(count))
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(
        connector=connector, cookie_jar=aiohttp.DummyCookieJar()
    ) as session:

        async def work() -> None:
            for _ in left:
                async with session.post(url, data=body, headers=HEADERS) as answer:
                    await answer.read()
                    answer.raise_for_status()

        began = time.perf_counter()
        await asyncio.gather(*(work() for _ in range(window)))
        return time.perf_counter() - began


if __name__ == "__main__":
    _, url_, count_, window_, body_ = sys.argv
    print(asyncio.run(send(url_, int(count_), int(window_), body_.encode())))
