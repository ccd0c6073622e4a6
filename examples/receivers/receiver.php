<?php
// A receiver of webhooks without any package (docs/guides/en/webhooks.md). PHP 8.0 or later.
//
// WEBHOOK_SECRET=whsec_... php -S 127.0.0.1:9000 receiver.php
const TOLERANCE_SECONDS = 300;

// $body: file_get_contents('php://input')
function is_genuine(array $server, string $body, string $secret): bool
{
    $eventId = $server['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $server['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!preg_match('/\A[0-9]+\z/', $timestamp)) {
        return false;
    }
    if (abs(microtime(true) - (float) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $key = base64_decode(preg_replace('/\Awhsec_/', '', $secret));
    $hmac = hash_hmac('sha256', "$eventId.$timestamp.$body", $key, true);
    $expected = 'v1,' . base64_encode($hmac);
    $genuine = false;
    foreach (explode(' ', $server['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) { // two while a secret is replaced
        $genuine = hash_equals($expected, $given) || $genuine;
    }
    return $genuine;
}

$body = file_get_contents('php://input');
if (!is_genuine($_SERVER, $body, getenv('WEBHOOK_SECRET'))) {
    http_response_code(401);
    exit('not genuine');
}
// In your shop: a table with the event's id as its key, in the transaction of your own work.
$eventId = preg_replace('/[^a-z0-9_]/', '', $_SERVER['HTTP_WEBHOOK_ID'] ?? '');
$mark = (getenv('SEEN_DIR') ?: sys_get_temp_dir()) . "/seen-$eventId";
if (@fopen($mark, 'x') === false) { // of two at the same time one makes it
    if (is_file($mark)) {
        exit('known');
    }
    http_response_code(500); // no such folder, no space: it comes again later
    exit('cannot remember');
}
$message = json_decode($body, true);
$line = $eventId . ' ' . $message['event'] . ' ' . ($message['data']['reference'] ?? '');
file_put_contents('php://stdout', $line . PHP_EOL);
echo 'ok'; // respond first, then work: put the message into a queue
