<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Listing;
use Pasarela\Transport;

/**
 * Whatever is created, read and listed under one path.
 *
 * @template TNew of array
 * @template TCreated of array
 * @template TRead of array
 * @template TListed of array
 */
abstract class Records extends Resource
{
    protected const PATH = '';

    /**
     * @param TNew $fields
     * @return TCreated
     */
    public function create(array $fields, ?string $idempotencyKey = null): array
    {
        return $this->post(static::PATH, [], $fields, Transport::KEY, $idempotencyKey);
    }

    /** @return TRead */
    public function get(string $id): array
    {
        return $this->read(static::PATH . '/{}', [$id]);
    }

    /**
     * @param array<string, mixed> $query
     * @return Listing<TListed>
     */
    public function list(array $query = []): Listing
    {
        return $this->listing(static::PATH, [], $query);
    }
}
