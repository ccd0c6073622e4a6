<?php

declare(strict_types=1);

namespace Pasarela;

/** @template T */
final class Page
{
    /**
     * @param list<T> $data
     * @param int|null $total how many match in all; null where the service does not count
     */
    public function __construct(public readonly array $data, public readonly ?int $total)
    {
    }
}
