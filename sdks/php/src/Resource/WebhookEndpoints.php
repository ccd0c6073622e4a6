<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Listing;
use Pasarela\Transport;
use Pasarela\Types;

/**
 * @phpstan-import-type WebhookEndpoint from Types
 * @phpstan-import-type NewEndpointWithSecret from Types
 * @phpstan-import-type NewWebhookEndpoint from Types
 * @phpstan-import-type WebhookEndpointChange from Types
 */
final class WebhookEndpoints extends Resource
{
    /**
     * `secret` is shown in this answer only.
     *
     * @param NewWebhookEndpoint $endpoint
     * @return NewEndpointWithSecret
     */
    public function create(array $endpoint, ?string $idempotencyKey = null): array
    {
        return $this->post('/webhook-endpoints', [], $endpoint, Transport::KEY, $idempotencyKey);
    }

    /**
     * @return WebhookEndpoint
     */
    public function get(string $id): array
    {
        return $this->read('/webhook-endpoints/{}', [$id]);
    }

    /**
     * @param array<string, mixed> $query
     * @return Listing<WebhookEndpoint>
     */
    public function list(array $query = []): Listing
    {
        return $this->listing('/webhook-endpoints', $query);
    }

    /**
     * @param WebhookEndpointChange $change
     * @return WebhookEndpoint
     */
    public function change(string $id, array $change): array
    {
        return $this->transport->send('PATCH', '/webhook-endpoints/{}', [$id], body: $change)->body['data'];
    }

    /**
     * @return array{id: string, deleted: bool}
     */
    public function delete(string $id): array
    {
        return $this->transport->send('DELETE', '/webhook-endpoints/{}', [$id])->body['data'];
    }
}
