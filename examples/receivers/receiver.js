// A receiver of webhooks without any package (docs/guides/en/webhooks.md). Node.js 18 or later.
//
// WEBHOOK_SECRET=whsec_... PORT=9000 node receiver.js
const http = require("node:http");
const crypto = require("node:crypto");

const TOLERANCE_SECONDS = 300;

// headers: req.headers (names in lower case); body: a Buffer with the raw bytes.
function isGenuine(headers, body, secret) {
  const eventId = headers["webhook-id"] ?? "";
  const timestamp = headers["webhook-timestamp"] ?? "";
  if (!/^[0-9]+$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const hmac = crypto.createHmac("sha256", key).update(`${eventId}.${timestamp}.`).update(body);
  const expected = Buffer.from(`v1,${hmac.digest("base64")}`);
  const given = (headers["webhook-signature"] ?? "").split(" "); // two while a secret is replaced
  return given.some((each) => {
    const signature = Buffer.from(each);
    return signature.length === expected.length && crypto.timingSafeEqual(signature, expected);
  });
}

// In your shop: a table with the event's id as its key, in the transaction of your own work.
const seen = new Set();

function take(headers, body) {
  if (!isGenuine(headers, body, process.env.WEBHOOK_SECRET)) return [401, "not genuine"];
  const eventId = headers["webhook-id"];
  if (seen.has(eventId)) return [200, "known"];
  seen.add(eventId);
  const message = JSON.parse(body.toString("utf8"));
  console.log(eventId, message.event, message.data.reference ?? "");
  return [200, "ok"]; // respond first, then work: put the message into a queue
}

const port = Number(process.env.PORT ?? 9000);
http
  .createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const [status, text] = take(request.headers, Buffer.concat(chunks));
      response.writeHead(status).end(text);
    });
  })
  .listen(port, "127.0.0.1", () => console.log(`Waiting for webhooks on http://localhost:${port}/`));
