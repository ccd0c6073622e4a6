<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Listing;
use Pasarela\Transport;
use Pasarela\Types;

/**
 * @phpstan-import-type NewPayoutBatch from Types
 * @phpstan-import-type PayoutBatch from Types
 * @phpstan-import-type PayoutBatchEntry from Types
 * @phpstan-import-type PayoutBatchItem from Types
 */
final class PayoutBatches extends Resource
{
    /**
     * @param NewPayoutBatch $batch
     * @return PayoutBatch
     */
    public function create(array $batch, ?string $idempotencyKey = null): array
    {
        return $this->post('/payout/batches', [], $batch, Transport::KEY, $idempotencyKey);
    }

    /**
     * @return PayoutBatch
     */
    public function get(string $id): array
    {
        return $this->read('/payout/batches/{}', [$id]);
    }

    /**
     * @param array<string, mixed> $query
     * @return Listing<PayoutBatchEntry>
     */
    public function list(array $query = []): Listing
    {
        return $this->listing('/payout/batches', $query);
    }

    /**
     * @param array<string, mixed> $query
     * @return Listing<PayoutBatchItem>
     */
    public function lines(string $id, array $query = []): Listing
    {
        return $this->listing('/payout/batches/{}/lines', $query, [$id]);
    }
}
