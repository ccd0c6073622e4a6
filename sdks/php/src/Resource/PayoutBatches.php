<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Listing;
use Pasarela\Types;

/**
 * @phpstan-import-type NewPayoutBatch from Types
 * @phpstan-import-type PayoutBatch from Types
 * @phpstan-import-type PayoutBatchEntry from Types
 * @phpstan-import-type PayoutBatchItem from Types
 * @extends Records<NewPayoutBatch, PayoutBatch, PayoutBatch, PayoutBatchEntry>
 */
final class PayoutBatches extends Records
{
    protected const PATH = '/payout/batches';

    /**
     * @param array<string, mixed> $query
     * @return Listing<PayoutBatchItem>
     */
    public function lines(string $id, array $query = []): Listing
    {
        return $this->listing('/payout/batches/{}/lines', [$id], $query);
    }
}
