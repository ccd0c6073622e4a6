<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Listing;
use Pasarela\Types;

/** @phpstan-import-type FeedEvent from Types */
final class Events extends Resource
{
    /**
     * Oldest first, without gaps. Store the id of the last one, and pass it as `after` next time.
     *
     * @param array<string, mixed> $query
     * @return Listing<FeedEvent>
     */
    public function list(array $query = []): Listing
    {
        return $this->listing('/events', [], $query, 'after');
    }
}
