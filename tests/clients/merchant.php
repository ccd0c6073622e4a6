<?php
// A merchant's program on the PHP client that openapi-generator makes; run as a process.
// merchant.php BASE_URL STEP, with the generated library and Guzzle's autoload.php in the environment.
// A step prints what it saw as JSON. merchant.py has the same steps.

use OpenAPI\Client\Api;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model;
use OpenAPI\Client\ObjectSerializer;

require getenv('GUZZLE');
spl_autoload_register(function (string $class): void {
    $prefix = 'OpenAPI\\Client\\';
    if (str_starts_with($class, $prefix)) {
        $name = str_replace('\\', '/', substr($class, strlen($prefix)));
        require getenv('GENERATED') . "/lib/$name.php";
    }
});

const ORDER = [
    'reference' => 'PEDIDO-1',
    'amount' => 50000,
    'customer_name' => 'María Ñáñez',
    'customer_email' => 'maria@example.com',
    'customer_doc_type' => 'CC',
    'customer_doc_number' => '1020304050',
    'metadata' => ['cart' => 'A-7'],
];
const PAYOUT = [
    'amount' => 100000,
    'recipient_name' => 'Juan Pérez',
    'recipient_doc_type' => 'CC',
    'recipient_doc_number' => '79123456',
    'network' => 'BANK',
    'bank_canonical_id' => 'bancolombia',
    'account_type' => 'SAVINGS',
    'account_number' => '12345678901',
];

function api(string $name): object
{
    static $configuration = null;
    $configuration ??= (new Configuration())
        ->setHost($GLOBALS['argv'][1])
        ->setApiKey('X-Api-Key', getenv('API_KEY'))
        ->setApiKey('X-Api-Secret', getenv('API_SECRET'));
    $class = "OpenAPI\\Client\\Api\\{$name}Api";
    return new $class(null, $configuration);
}

function created(): Model\OrderCreated
{
    $answer = api('Collections')->createCollection(new Model\OrderCreateRequest(ORDER));
    if ($answer->getSuccess() !== true) {
        throw new RuntimeException('success is not true.');
    }
    return $answer->getData();
}

function credited(): Model\CreditedBalance
{
    $credit = new Model\BalanceCreditRequest(['currency' => 'COPM', 'amount' => 500000]);
    return api('Sandbox')->sandboxCreditBalance($credit)->getData();
}

// Create, read, list.
function order(): array
{
    $created = created();
    $read = api('Collections')->getCollection($created->getId())->getData();
    $listed = api('Collections')->listCollections(null, null, 5, 0, null, 'PENDING')->getData();
    return [
        'created' => [
            $created->getId(), $created->getReference(), $created->getAmount(), $created->getStatus(),
        ],
        'expires' => $created->getExpiresAt() > $created->getCreatedAt(),
        'read' => [
            $read->getId(), $read->getCustomer()->getName(), $read->getBaseAmount(),
            $read->getFeeAmount(), $read->getMetadata(),
        ],
        'listed' => array_map(fn($each) => $each->getId(), $listed),
    ];
}

// Create twice with one key.
function replay(): array
{
    $seen = ['statuses' => [], 'ids' => [], 'replayed' => []];
    foreach ([1, 2] as $_time) {
        [$answer, $status, $headers] = api('Collections')->createCollectionWithHttpInfo(
            new Model\OrderCreateRequest(ORDER), 'once'
        );
        $headers = array_change_key_case($headers);
        $seen['statuses'][] = $status;
        $seen['ids'][] = $answer->getData()->getId();
        $seen['replayed'][] = $headers['idempotent-replayed'][0] ?? null;
    }
    return $seen;
}

// A reference that is taken: what the client itself cannot know.
function refusal(): array
{
    created();
    try {
        created();
    } catch (ApiException $error) {
        $failure = $error->getResponseObject();
        $said = $failure->getError();
        return [
            'status' => $error->getCode(),
            'success' => $failure->getSuccess(),
            'code' => $said->getCode(),
            'message' => $said->getMessage(),
            'field' => $said->getDetails()->getField(),
        ];
    }
    throw new RuntimeException('It was not refused.');
}

// Paid, asked back in part, read, listed, returned.
function refund(): array
{
    $created = created();
    $outcome = new Model\OrderOutcomeRequest(['status' => 'COMPLETED', 'method' => 'PSE']);
    $paid = api('Sandbox')->sandboxResolveCollection($created->getId(), $outcome)->getData();
    $wanted = new Model\RefundCreateRequest(['amount' => 20000, 'reason' => 'Agotado']);
    $asked = api('Refunds')->createRefund($created->getId(), $wanted, 'refund-1')->getData();
    $outcome = new Model\RefundOutcomeRequest(['status' => 'COMPLETED']);
    $done = api('Sandbox')->sandboxResolveRefund($asked->getId(), $outcome)->getData();
    $read = api('Refunds')->getRefund($created->getId(), $asked->getId())->getData();
    $listed = api('Refunds')->listRefunds($created->getId())->getData();
    return [
        'paid' => [$paid->getStatus(), $paid->getPaidAt() !== null],
        'asked' => [$asked->getAmount(), $asked->getStatus()],
        'done' => $done->getStatus(),
        'read' => $read->getStatus(),
        'listed' => array_map(fn($each) => $each->getId() === $asked->getId(), $listed),
    ];
}

// Sent from a balance, read, listed.
function payout(): array
{
    $balance = credited();
    $body = new Model\PayoutCreateRequest(PAYOUT);
    $made = api('Payouts')->createPayout($body, 'payout-1')->getData();
    $read = api('Payouts')->getPayout($made->getPayoutId())->getData();
    $listed = api('Payouts')->listPayouts()->getData();
    return [
        'balance' => [$balance->getCurrency(), $balance->getAvailable()],
        'made' => [
            $made->getAmount(), $made->getFeeAmount(), $made->getStatus(), $made->getNetwork(),
        ],
        'read' => [$read->getPayoutId() === $made->getPayoutId(), $read->getCompletedAt()],
        'listed' => array_map(fn($each) => $each->getPayoutId() === $made->getPayoutId(), $listed),
    ];
}

// How many elements the other lists have.
function reads(): array
{
    credited();
    created();
    return [
        'statistics' => api('Collections')->getCollectionStatistics()->getData()->getTotal(),
        'balance' => count(api('Balance')->listBalances()->getData()),
        'movements' => count(api('Balance')->listMovements()->getData()),
        'events' => count(api('Events')->listEvents()->getData()),
        'settlements' => count(api('Settlements')->listSettlements()->getData()),
        'methods' => count(api('Payouts')->listPayoutMethods()->getData()->getMethods()),
        'operators' => count(api('TopUps')->listTopupOperators()->getData()),
        'agreements' => count(api('BillPayments')->listBillingAgreements()->getData()->getItems()),
    ];
}

// The body of a webhook, from standard input.
function webhook(): array
{
    $body = json_decode(file_get_contents('php://stdin'));
    $event = ObjectSerializer::deserialize($body, Model\PaymentPartiallyRefundedEvent::class);
    $data = $event->getData();
    return [
        $event->getEvent(), $data->getRefundId(), $data->getRemainingAmount(), $data->getTotalRefunded(),
    ];
}

$steps = ['order', 'replay', 'refusal', 'refund', 'payout', 'reads', 'webhook'];
if (!in_array($argv[2] ?? '', $steps, true)) {
    exit(2);
}
echo json_encode($argv[2](), JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
