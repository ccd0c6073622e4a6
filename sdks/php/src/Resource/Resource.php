<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Listing;
use Pasarela\Response;
use Pasarela\Transport;

abstract class Resource
{
    public function __construct(protected readonly Transport $transport)
    {
    }

    /**
     * @param list<string> $ids
     * @return array<mixed>
     */
    protected function read(string $path, array $ids = []): array
    {
        return $this->transport->send('GET', $path, $ids)->data();
    }

    /** @param list<string> $ids */
    protected function text(string $path, array $ids = [], array $query = []): string
    {
        return $this->transport->send('GET', $path, $ids, query: $query)->text;
    }

    /**
     * @param list<string> $ids
     * @param array<string, mixed>|null $body
     * @return array<string, mixed>
     */
    protected function post(string $path, array $ids, ?array $body, string $repeat, ?string $key = null): array
    {
        return $this->transport->send('POST', $path, $ids, $repeat, body: $body, key: $key)->data();
    }

    /**
     * @param list<string> $ids
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    protected function patch(string $path, array $ids, array $body): array
    {
        return $this->transport->send('PATCH', $path, $ids, body: $body)->data();
    }

    /**
     * @param list<string> $ids
     * @param array<string, mixed> $query
     * @return Listing<array<string, mixed>>
     */
    protected function listing(string $path, array $ids, array $query, string $by = 'offset'): Listing
    {
        $read = fn(array $query): Response => $this->transport->send('GET', $path, $ids, query: $query);
        return new Listing($read, $query, $by);
    }
}
