<?php

declare(strict_types=1);

namespace Pasarela;

/** A merchant's client. */
final class Client
{
    public readonly Resource\Orders $orders;
    public readonly Resource\Refunds $refunds;
    public readonly Resource\Payouts $payouts;
    public readonly Resource\PayoutBatches $payoutBatches;
    public readonly Resource\Topups $topups;
    public readonly Resource\Bills $bills;
    public readonly Resource\Links $links;
    public readonly Resource\Events $events;
    public readonly Resource\WebhookEndpoints $webhookEndpoints;
    public readonly Resource\Balance $balance;
    public readonly Resource\Settlements $settlements;
    public readonly Resource\Sandbox $sandbox;
    private readonly Transport $transport;

    /**
     * @param string $baseUrl the address of your installation: `https://pagos.example`
     * @param int $timeoutMs of one attempt
     * @param int $maxRetries attempts after the first
     * @param int $maxRetryDelayMs if the service asks for a longer pause, the error comes at once
     */
    public function __construct(
        string $apiKey,
        #[\SensitiveParameter]
        string $apiSecret,
        string $baseUrl,
        int $timeoutMs = 30_000,
        int $maxRetries = 2,
        int $maxRetryDelayMs = 60_000,
    ) {
        $this->transport = new Transport($apiKey, $apiSecret, $baseUrl, $timeoutMs, $maxRetries, $maxRetryDelayMs);
        $this->orders = new Resource\Orders($this->transport);
        $this->refunds = new Resource\Refunds($this->transport);
        $this->payouts = new Resource\Payouts($this->transport);
        $this->payoutBatches = new Resource\PayoutBatches($this->transport);
        $this->topups = new Resource\Topups($this->transport);
        $this->bills = new Resource\Bills($this->transport);
        $this->links = new Resource\Links($this->transport);
        $this->events = new Resource\Events($this->transport);
        $this->webhookEndpoints = new Resource\WebhookEndpoints($this->transport);
        $this->balance = new Resource\Balance($this->transport);
        $this->settlements = new Resource\Settlements($this->transport);
        $this->sandbox = new Resource\Sandbox($this->transport);
    }

    /** The answer to the last request that was not refused: status, headers, request id. */
    public function lastResponse(): ?Response
    {
        return $this->transport->last;
    }
}
