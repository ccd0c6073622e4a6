// A receiver of webhooks without any package (docs/webhooks.md). Node.js 18 or later.
//
// WEBHOOK_SECRET=whsec_... PORT=9000 node receiver.js
const http = require("node:http");
const crypto = require("node:crypto");

const TOLERANCE_MS = 300_000;

// headers: req.headers (names in lower case); body: a Buffer with the raw bytes.
function isGenuine(headers, body, secret) {
  const timestamp = headers["x-service-timestamp"] ?? "";
  const signature = Buffer.from(headers["x-service-signature"] ?? "");
  if (!/^[0-9]+$/.test(timestamp)) return false;
  if (Date.now() - Number(timestamp) > TOLERANCE_MS) return false;
  const hmac = crypto.createHmac("sha256", secret).update(`${timestamp}.`).update(body);
  const expected = Buffer.from(`sha256=${hmac.digest("hex")}`);
  return signature.length === expected.length && crypto.timingSafeEqual(signature, expected);
}

// In your shop: a table with the event's id as its key, in the transaction of your own work.
const seen = new Set();

function take(headers, body) {
  if (!isGenuine(headers, body, process.env.WEBHOOK_SECRET)) return [401, "not genuine"];
  const eventId = headers["x-service-event-id"];
  if (seen.has(eventId)) return [200, "known"];
  seen.add(eventId);
  const message = JSON.parse(body.toString("utf8"));
  console.log(eventId, message.event, message.data.reference ?? "");
  return [200, "ok"]; // respond first, then work: put the message into a queue
}

http
  .createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const [status, text] = take(request.headers, Buffer.concat(chunks));
      response.writeHead(status).end(text);
    });
  })
  .listen(Number(process.env.PORT ?? 9000), "127.0.0.1");
