<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Listing;
use Pasarela\Transport;
use Pasarela\Types;

/**
 * @phpstan-import-type NewRefund from Types
 * @phpstan-import-type Refund from Types
 */
final class Refunds extends Resource
{
    /**
     * Without an amount: all that remains.
     *
     * @param NewRefund $refund
     * @return Refund
     */
    public function create(string $orderId, array $refund, ?string $idempotencyKey = null): array
    {
        return $this->post('/collect/{}/refunds', [$orderId], $refund, Transport::KEY, $idempotencyKey);
    }

    /** @return Refund */
    public function get(string $orderId, string $id): array
    {
        return $this->read('/collect/{}/refunds/{}', [$orderId, $id]);
    }

    /**
     * @param array<string, mixed> $query
     * @return Listing<Refund>
     */
    public function list(string $orderId, array $query = []): Listing
    {
        return $this->listing('/collect/{}/refunds', [$orderId], $query);
    }
}
