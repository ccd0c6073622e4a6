<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Listing;
use Pasarela\Transport;
use Pasarela\Types;

/**
 * @phpstan-import-type NewTopup from Types
 * @phpstan-import-type Operator from Types
 * @phpstan-import-type Topup from Types
 */
final class Topups extends Resource
{
    /**
     * @param NewTopup $topup
     * @return Topup
     */
    public function create(array $topup, ?string $idempotencyKey = null): array
    {
        return $this->post('/topup', [], $topup, Transport::KEY, $idempotencyKey);
    }

    /**
     * @return Topup
     */
    public function get(string $id): array
    {
        return $this->read('/topup/{}', [$id]);
    }

    /**
     * @param array<string, mixed> $query
     * @return Listing<Topup>
     */
    public function list(array $query = []): Listing
    {
        return $this->listing('/topup', $query);
    }

    /**
     * @return list<Operator>
     */
    public function operators(): array
    {
        return $this->read('/topup/operators');
    }
}
