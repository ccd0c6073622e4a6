"""Creates an order and prints its id and the page on which it is paid. Python 3.9 or later.

API_URL=http://localhost:8000/api/v1 API_KEY=pk_... API_SECRET=sk_... python3 order.py
"""

import json
import os
import time
import urllib.error
import urllib.request

# Your own number of the order. Store it first: the same number and key never make a second order.
reference = os.environ.get("REFERENCE", f"PEDIDO-{int(time.time())}")

request = urllib.request.Request(
    f"{os.environ['API_URL']}/collect",
    method="POST",
    headers={
        "Content-Type": "application/json",
        "X-Api-Key": os.environ["API_KEY"],
        "X-Api-Secret": os.environ["API_SECRET"],
        "Idempotency-Key": f"order-{reference}",
    },
    data=json.dumps(
        {
            "reference": reference,
            "amount": 50000,
            "description": "Café de Nariño",
            "customerName": "María Ñáñez",
            "customerEmail": "maria@example.com",
            "customerDocType": "CC",
            "customerDocNumber": "1020304050",
        }
    ).encode(),
)
try:
    with urllib.request.urlopen(request, timeout=30) as response:  # after a time-out: once more
        order = json.load(response)["data"]
except urllib.error.HTTPError as failed:
    error = json.load(failed)["error"]
    raise SystemExit(f"{error['code']}: {error['message']}") from None
print(order["id"], order["status"], order["amount"])
print(order["collectUrl"])
