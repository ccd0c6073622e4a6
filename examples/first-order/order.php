<?php
// Creates an order and prints its id and the page on which it is paid. PHP 8.0 or later, php-curl.
//
// API_URL=http://localhost:8000/api/v1 API_KEY=pk_... API_SECRET=sk_... php order.php

// Your own number of the order. Store it first: the same number and key never make a second order.
$reference = getenv('REFERENCE') ?: 'PEDIDO-' . time();

$curl = curl_init(getenv('API_URL') . '/collect');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30, // after a time-out: the same request again
    CURLOPT_HTTPHEADER => [
        'Content-Type: application/json',
        'X-Api-Key: ' . getenv('API_KEY'),
        'X-Api-Secret: ' . getenv('API_SECRET'),
        "Idempotency-Key: order-$reference",
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'reference' => $reference,
        'amount' => 50000,
        'description' => 'Café de Nariño',
        'customerName' => 'María Ñáñez',
        'customerEmail' => 'maria@example.com',
        'customerDocType' => 'CC',
        'customerDocNumber' => '1020304050',
    ]),
]);
$answer = curl_exec($curl);
if ($answer === false) {
    exit(curl_error($curl) . PHP_EOL);
}
$body = json_decode($answer, true);
if (!$body['success']) {
    exit("{$body['error']['code']}: {$body['error']['message']}" . PHP_EOL);
}
['id' => $id, 'status' => $status, 'amount' => $amount, 'collectUrl' => $page] = $body['data'];
echo "$id $status $amount", PHP_EOL, $page, PHP_EOL;
