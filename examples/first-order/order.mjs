// Creates an order and prints its id and the page on which it is paid. Node.js 18 or later.
//
// API_URL=http://localhost:8000/api/v1 API_KEY=pk_... API_SECRET=sk_... node order.mjs
const { API_URL, API_KEY, API_SECRET } = process.env;

// Your own number of the order. Store it first: the same number and key never make a second order.
const reference = process.env.REFERENCE ?? `PEDIDO-${Math.floor(Date.now() / 1000)}`;

const response = await fetch(`${API_URL}/collect`, {
  method: "POST",
  headers: {
    "Content-Type": "application/json",
    "X-Api-Key": API_KEY,
    "X-Api-Secret": API_SECRET,
    "Idempotency-Key": `order-${reference}`,
  },
  body: JSON.stringify({
    reference,
    amount: 50000,
    description: "Café de Nariño",
    customerName: "María Ñáñez",
    customerEmail: "maria@example.com",
    customerDocType: "CC",
    customerDocNumber: "1020304050",
  }),
  signal: AbortSignal.timeout(30_000), // after a time-out: the same request again
});
const { success, data, error } = await response.json();
if (!success) throw new Error(`${error.code}: ${error.message}`);
console.log(data.id, data.status, data.amount);
console.log(data.collectUrl);
