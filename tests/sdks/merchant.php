<?php
// A merchant's program on the PHP SDK, run by the tests: php merchant.php STEP, with AUTOLOAD in the
// environment. A step reads standard input, and prints what it saw as JSON. merchant.ts has the same.

declare(strict_types=1);

use Pasarela\Client;
use Pasarela\Exception\ApiError;
use Pasarela\Exception\PasarelaError;
use Pasarela\Webhook;

require getenv('AUTOLOAD');

const ORDER = [
    'reference' => 'PEDIDO-1',
    'amount' => '50000',
    'customerName' => 'María Ñáñez',
    'customerEmail' => 'maria@example.com',
    'customerDocType' => 'CC',
    'customerDocNumber' => '1020304050',
    'metadata' => ['cart' => 'A-7'],
];

$given = json_decode((string) stream_get_contents(STDIN), true);
$pasarela = client(...($given['options'] ?? []));

function client(mixed ...$options): Client
{
    $options += [
        'apiKey' => getenv('PASARELA_PUBLIC_KEY'),
        'apiSecret' => getenv('PASARELA_SECRET_KEY'),
        'baseUrl' => getenv('PASARELA_URL'),
    ];
    return new Client(...$options);
}

function refused(callable $call): mixed
{
    try {
        $call();
    } catch (PasarelaError $error) {
        $seen = ['class' => (new ReflectionClass($error))->getShortName(), 'idempotencyKey' => $error->idempotencyKey !== null];
        return !$error instanceof ApiError ? $seen : $seen + [
            'status' => $error->status,
            'code' => $error->errorCode,
            'field' => $error->field,
            'fields' => array_keys($error->fields),
            'retryAfter' => $error->retryAfterSeconds,
            'requestId' => $error->requestId !== null,
        ];
    } catch (Throwable $error) {
        return ['class' => get_class($error)];
    }
    return 'taken';
}

function told(array $event): array
{
    return match ($event['event']) {
        'payment.partially_refunded' => [
            $event['id'], $event['event'], $event['data']['refundId'], $event['data']['remainingAmount'],
        ],
        default => [$event['id'], $event['event']],
    };
}

$steps = [
    'order' => function () use ($pasarela): array {
        $created = $pasarela->orders->create(ORDER);
        $read = $pasarela->orders->get($created['id']);
        return [
            'created' => [$created['id'], $created['reference'], $created['amount'], $created['status']],
            'read' => [$read['id'], $read['customer']['name'], $read['baseAmount'], $read['feeAmount'], $read['metadata']],
            'statistics' => $pasarela->orders->statistics()['total'],
        ];
    },

    'replay' => function () use ($pasarela): array {
        $seen = ['ids' => [], 'replayed' => []];
        foreach ([1, 2] as $_time) {
            $seen['ids'][] = $pasarela->orders->create(ORDER, 'once')['id'];
            $seen['replayed'][] = $pasarela->lastResponse()->isReplayed();
        }
        return $seen;
    },

    'list' => function () use ($pasarela): array {
        foreach ([1, 2, 3, 4, 5] as $number) {
            $pasarela->orders->create(['reference' => "PEDIDO-$number"] + ORDER);
        }
        $walked = [];
        foreach ($pasarela->orders->list(['status' => 'PENDING', 'limit' => 2]) as $order) {
            $walked[] = $order['reference'];
            if (count($walked) === 2) { // What is new moves the others to the next page.
                $pasarela->orders->create(['reference' => 'PEDIDO-6'] + ORDER);
            }
        }
        $page = $pasarela->orders->list(['limit' => 3, 'offset' => 1])->page();
        return ['walked' => $walked, 'page' => array_column($page->data, 'reference'), 'total' => $page->total];
    },

    'refusals' => function () use ($pasarela): array {
        $pasarela->orders->create(ORDER);
        $stranger = client(apiKey: 'pk_no', apiSecret: 'sk_no');
        $topup = ['phone' => '3001234567', 'operatorCode' => 'claro', 'amountCop' => 5000];
        return [
            refused(fn() => $pasarela->orders->create(ORDER)),
            refused(fn() => $stranger->orders->get('col_1')),
            refused(fn() => $pasarela->orders->get('col_1')),
            refused(fn() => $pasarela->topups->create($topup)),
            refused(fn() => $pasarela->orders->get('')),
            refused(fn() => $pasarela->refunds->create('col_1', ['amount' => NAN, 'reason' => '?'])),
        ];
    },

    'refund' => function () use ($pasarela): array {
        $id = $pasarela->orders->create(ORDER)['id'];
        $paid = $pasarela->sandbox->order($id, ['status' => 'COMPLETED', 'method' => 'PSE']);
        $asked = $pasarela->refunds->create($id, ['amount' => 20000, 'reason' => 'Agotado']);
        $done = $pasarela->sandbox->refund($asked['id'], ['status' => 'COMPLETED']);
        $listed = [];
        foreach ($pasarela->refunds->list($id) as $each) {
            $listed[] = $each['id'] === $asked['id'];
        }
        $events = [];
        foreach ($pasarela->events->list(['limit' => 1]) as $each) {
            $events[] = $each['event'];
        }
        return [
            'paid' => [$paid['status'], $paid['paidAt'] !== null],
            'asked' => [$asked['amount'], $asked['status']],
            'done' => $done['status'],
            'read' => $pasarela->refunds->get($id, $asked['id'])['status'],
            'listed' => $listed,
            'events' => $events,
        ];
    },

    'payout' => function () use ($pasarela): array {
        $balance = $pasarela->sandbox->credit(['currency' => 'COPM', 'amount' => 500000]);
        $made = $pasarela->payouts->create([
            'amount' => 100000,
            'recipientName' => 'Juan Pérez',
            'recipientDocType' => 'CC',
            'recipientDocNumber' => '79123456',
            'network' => 'BANK',
            'bankCanonicalId' => 'bancolombia',
            'accountType' => 'SAVINGS',
            'accountNumber' => '12345678901',
        ]);
        $listed = [];
        foreach ($pasarela->payouts->list() as $each) {
            $listed[] = $each['payoutId'] === $made['payoutId'];
        }
        return [
            'balance' => [$balance['currency'], $balance['available']],
            'made' => [$made['amount'], $made['status'], $made['network']],
            'read' => $pasarela->payouts->get($made['payoutId'])['payoutId'] === $made['payoutId'],
            'listed' => $listed,
        ];
    },

    'endpoints' => function () use ($pasarela): array {
        $made = $pasarela->webhookEndpoints->create(['url' => 'https://shop.example/hooks', 'events' => ['payment.completed']]);
        $changed = $pasarela->webhookEndpoints->change($made['id'], ['description' => 'Tienda']);
        $listed = [];
        foreach ($pasarela->webhookEndpoints->list() as $each) {
            $listed[] = $each['id'];
        }
        return [
            'secret' => substr((string) $made['secret'], 0, 6),
            'changed' => $changed['description'],
            'listed' => in_array($made['id'], $listed, true),
            'deleted' => $pasarela->webhookEndpoints->delete($made['id'])['deleted'],
            'gone' => refused(fn() => $pasarela->webhookEndpoints->get($made['id']))['class'],
        ];
    },

    'rotation' => function () use ($pasarela, $given): ?array {
        foreach ($pasarela->webhookEndpoints->list() as ['id' => $id, 'account' => $isAccount]) {
            if ($isAccount) {
                $secret = $pasarela->webhookEndpoints->rotateSecret($id, $given['rotation'])['secret'];
                return ['id' => $id, 'secret' => $secret, 'eventId' => $pasarela->webhookEndpoints->test($id)['eventId']];
            }
        }
        return null;
    },

    'resend' => function () use ($pasarela, $given): array {
        ['id' => $id, 'eventId' => $event, 'from' => $from, 'to' => $to] = $given;
        $one = $pasarela->webhookEndpoints->resend($id, ['eventId' => $event]);
        $many = $pasarela->webhookEndpoints->resend($id, ['from' => $from, 'to' => $to, 'onlyMissing' => false]);
        return [$one['events'], $many['events']];
    },

    'everything' => function () use ($pasarela): array {
        $names = [];
        foreach (get_object_vars($pasarela) as $name => $resource) {
            foreach ((new ReflectionClass($resource))->getMethods(ReflectionMethod::IS_PUBLIC) as $method) {
                if ($method->isConstructor()) {
                    continue;
                }
                $names[$name][] = $method->getName();
                $wanted = array_filter($method->getParameters(), fn($each) => !$each->isOptional());
                $values = array_map(fn($each) => (string) $each->getType() === 'array' ? [] : 'a', $wanted);
                $answer = $method->invokeArgs($resource, $values);
                $answer instanceof Pasarela\Listing && $answer->page();
            }
        }
        return $names;
    },

    'amounts' => function () use ($pasarela): array {
        $pasarela->sandbox->credit(['currency' => 'BTC', 'amount' => '0.12345678']);
        $pasarela->sandbox->credit(['currency' => 'BTC', 'amount' => 987654321]);
        $pasarela->sandbox->credit(['currency' => 'COPM', 'amount' => '12345.67']);
        $exact = array_map(fn($each) => [$each['currency'], $each['available']], $pasarela->balance->get());
        sort($exact);
        $moved = [];
        foreach ($pasarela->balance->movements(['currency' => 'BTC', 'limit' => 1]) as $each) {
            $moved[] = (string) $each['amount'];
        }
        return ['exact' => $exact, 'moved' => $moved];
    },

    'webhooks' => function () use ($given): array {
        ['body' => $body, 'headers' => $headers, 'secrets' => $secrets] = $given;
        $server = [];
        foreach ($headers as $name => $value) {
            $server['HTTP_' . strtoupper(strtr($name, '-', '_'))] = $value;
        }
        $event = Webhook::verify($body, $headers, $secrets);
        return [
            'exact' => $event['data']['amount'],
            'told' => told($event),
            'byBytes' => told(Webhook::verify($body, $server, $secrets)),
            'own' => told(Webhook::verifyServiceSignature($body, array_map(fn($each) => [$each], $headers), $secrets)),
        ];
    },

    'refusedWebhooks' => function () use ($given): array {
        ['body' => $body, 'headers' => $headers, 'secrets' => $secrets] = $given;
        return [
            refused(fn() => Webhook::verify($body, $headers, $secrets)),
            refused(fn() => Webhook::verifyServiceSignature($body, $headers, $secrets)),
        ];
    },

    'signed' => fn(): array => Webhook::sign($given['body'], $given['secret'], $given['id']),

    'calls' => function () use ($pasarela, $given): array {
        $calls = [
            'order' => fn() => $pasarela->orders->create(ORDER),
            'pay' => fn() => $pasarela->orders->pay('col_1', ['method' => 'pse', 'fields' => []]),
            'read' => fn() => $pasarela->orders->get('col_1'),
        ];
        $seen = [];
        foreach ($given['times'] ?? [1] as $_time) {
            $answer = null;
            $refusal = refused(function () use ($calls, $given, &$answer): void {
                $answer = $calls[$given['call']]();
            });
            $seen[] = $answer['id'] ?? $refusal;
        }
        return $seen;
    },
];

echo json_encode($steps[$argv[1]](), JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
