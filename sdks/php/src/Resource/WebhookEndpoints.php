<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Transport;
use Pasarela\Types;

/**
 * Where events are sent. Changes need the permission `webhook:manage`. `secret` is in the answers of
 * `create` and `rotateSecret` only.
 *
 * @phpstan-import-type EventsToResend from Types
 * @phpstan-import-type NewWebhookEndpoint from Types
 * @phpstan-import-type SecretRotation from Types
 * @phpstan-import-type WebhookEndpoint from Types
 * @phpstan-import-type WebhookEndpointChange from Types
 * @phpstan-import-type WebhookEndpointWithSecret from Types
 * @phpstan-import-type WebhookResend from Types
 * @phpstan-import-type WebhookTest from Types
 * @extends Records<NewWebhookEndpoint, WebhookEndpointWithSecret, WebhookEndpoint, WebhookEndpoint>
 */
final class WebhookEndpoints extends Records
{
    protected const PATH = '/webhook-endpoints';

    /**
     * @param WebhookEndpointChange $change
     * @return WebhookEndpoint
     */
    public function change(string $id, array $change): array
    {
        return $this->patch('/webhook-endpoints/{}', [$id], $change);
    }

    /** @return array{id: string, deleted: bool} */
    public function delete(string $id): array
    {
        return $this->transport->send('DELETE', '/webhook-endpoints/{}', [$id])->data();
    }

    /**
     * For `overlapHours` (24) the old secret is valid, too.
     *
     * @param SecretRotation $rotation
     * @return WebhookEndpointWithSecret
     */
    public function rotateSecret(string $id, array $rotation = [], ?string $idempotencyKey = null): array
    {
        return $this->post('/webhook-endpoints/{}/rotate-secret', [$id], $rotation, Transport::KEY, $idempotencyKey);
    }

    /**
     * Sends it the event `webhook.test`.
     *
     * @return WebhookTest
     */
    public function test(string $id): array
    {
        return $this->post('/webhook-endpoints/{}/test', [$id], null, Transport::ONCE);
    }

    /**
     * Sends it one event again (`eventId`), or those of a time (`from`, `to`).
     *
     * @param EventsToResend $chosen
     * @return WebhookResend
     */
    public function resend(string $id, array $chosen, ?string $idempotencyKey = null): array
    {
        return $this->post('/webhook-endpoints/{}/resend', [$id], $chosen, Transport::KEY, $idempotencyKey);
    }
}
