<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Listing;
use Pasarela\Transport;
use Pasarela\Types;

/**
 * @phpstan-import-type Link from Types
 * @phpstan-import-type LinkChange from Types
 * @phpstan-import-type NewLink from Types
 */
final class Links extends Resource
{
    /**
     * @param NewLink $link
     * @return Link
     */
    public function create(array $link, ?string $idempotencyKey = null): array
    {
        return $this->post('/links', [], $link, Transport::KEY, $idempotencyKey);
    }

    /**
     * @return Link
     */
    public function get(string $id): array
    {
        return $this->read('/links/{}', [$id]);
    }

    /**
     * @param array<string, mixed> $query
     * @return Listing<Link>
     */
    public function list(array $query = []): Listing
    {
        return $this->listing('/links', $query);
    }

    /**
     * @param LinkChange $change
     * @return Link
     */
    public function change(string $id, array $change): array
    {
        return $this->transport->send('PATCH', '/links/{}', [$id], body: $change)->body['data'];
    }

    /**
     * @param array<string, mixed> $image
     * @return Link
     */
    public function setImage(string $id, array $image): array
    {
        return $this->post('/links/{}/image', [$id], $image, Transport::SAFE);
    }
}
