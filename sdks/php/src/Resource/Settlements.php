<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Listing;
use Pasarela\Types;

/** @phpstan-import-type Settlement from Types */
final class Settlements extends Resource
{
    /** @return Settlement */
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
        return $this->listing('/settlements', [], $query);
    }

    /** The statement of one closing, for spreadsheets. It begins with a byte order mark. */
    public function csv(string $id): string
    {
        return $this->text('/settlements/{}/statement.csv', [$id]);
    }

    /** The same as a page, to read and print. */
    public function html(string $id): string
    {
        return $this->text('/settlements/{}/statement.html', [$id]);
    }

    /** @param array<string, mixed> $query the days `from` and `to`, both included; `currency` */
    public function statementCsv(array $query): string
    {
        return $this->text('/settlements/statement.csv', query: $query);
    }

    /** @param array<string, mixed> $query the days `from` and `to`, both included; `currency` */
    public function statementHtml(array $query): string
    {
        return $this->text('/settlements/statement.html', query: $query);
    }
}
