<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Listing;
use Pasarela\Types;

/**
 * @phpstan-import-type Balance from Types
 * @phpstan-import-type Movement from Types
 */
final class Balance extends Resource
{
    /** @return list<Balance> */
    public function get(): array
    {
        return $this->read('/balance');
    }

    /**
     * @param array<string, mixed> $query
     * @return Listing<Movement>
     */
    public function movements(array $query = []): Listing
    {
        return $this->listing('/balance/movements', [], $query, 'before');
    }
}
