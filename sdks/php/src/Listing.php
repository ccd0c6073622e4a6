<?php

declare(strict_types=1);

namespace Pasarela;

/**
 * A list of the service. `foreach` reads page after page; `page()` reads one, with the total.
 *
 * The newest come first. What is created during the walk shifts the pages: no element comes twice.
 *
 * @template T of array
 * @implements \IteratorAggregate<int, T>
 */
final class Listing implements \IteratorAggregate
{
    private const LARGEST_PAGE = 100;

    /**
     * @param \Closure(array<string, mixed>): Response $read
     * @param array<string, mixed> $query
     * @param 'offset'|'page'|'after'|'before' $by how the list goes on after a page
     */
    public function __construct(
        private readonly \Closure $read,
        private readonly array $query,
        private readonly string $by = 'offset',
    ) {
    }

    /**
     * One page: with `limit` and `offset` as given, or the service's defaults.
     *
     * @return Page<T>
     */
    public function page(): Page
    {
        return $this->read($this->query);
    }

    /** @return \Generator<int, T> */
    public function getIterator(): \Generator
    {
        $query = $this->query;
        if ($this->by !== 'page') {
            $query['limit'] ??= self::LARGEST_PAGE;
        }
        $seen = [];
        $number = 0;
        while (($data = $this->read($query)->data) !== []) {
            foreach ($data as $row) {
                $id = self::idOf($row);
                if ($id === null || !isset($seen[$id])) {
                    $seen[$id ?? ''] = true;
                    yield $number++ => $row;
                }
            }
            if (isset($query['limit']) && count($data) < $query['limit']) {
                return;
            }
            $query = $this->next($query, $data);
        }
    }

    /**
     * @param array<string, mixed> $query
     * @param non-empty-list<T> $data
     * @return array<string, mixed>
     */
    private function next(array $query, array $data): array
    {
        if ($this->by === 'offset') {
            return ['offset' => ($query['offset'] ?? 0) + count($data)] + $query;
        }
        if ($this->by === 'page') {
            return ['page' => ($query['page'] ?? 1) + 1] + $query;
        }
        unset($query['offset']);
        return [$this->by => self::idOf($data[count($data) - 1])] + $query;
    }

    /**
     * @param array<string, mixed> $query
     * @return Page<T>
     */
    private function read(array $query): Page
    {
        $response = ($this->read)($query);
        $data = $response->data();
        $total = $response->headers['x-total-count'] ?? null;
        return new Page($data['items'] ?? $data, $total === null ? null : (int) $total);
    }

    private static function idOf(array $row): string|int|null
    {
        return $row['id'] ?? $row['payoutId'] ?? $row['batchId'] ?? $row['number'] ?? $row['agreementId'] ?? null;
    }
}
