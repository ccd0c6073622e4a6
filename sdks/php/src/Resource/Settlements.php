<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Listing;
use Pasarela\Types;

/**
 * @phpstan-import-type Settlement from Types
 */
final class Settlements extends Resource
{
    /**
     * @return Settlement
     */
    public function get(string $id): array
    {
        return $this->read('/settlements/{}', [$id]);
    }

    /**
     * @param array<string, mixed> $query
     * @return Listing<Settlement>
     */
    public function list(array $query = []): Listing
    {
        return $this->listing('/settlements', $query);
    }

    /**
     * It begins with a byte order mark.
     *
     * @param array<string, mixed> $query
     */
    public function statementCsv(array $query): string
    {
        return $this->transport->send('GET', '/settlements/statement.csv', query: $query)->text;
    }
}
