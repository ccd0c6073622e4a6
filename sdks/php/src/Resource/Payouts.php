<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Listing;
use Pasarela\Transport;
use Pasarela\Types;

/**
 * @phpstan-import-type NewPayout from Types
 * @phpstan-import-type Payout from Types
 * @phpstan-import-type PayoutMethods from Types
 */
final class Payouts extends Resource
{
    /**
     * @param NewPayout $payout
     * @return Payout
     */
    public function create(array $payout, ?string $idempotencyKey = null): array
    {
        return $this->post('/payout', [], $payout, Transport::KEY, $idempotencyKey);
    }

    /**
     * @return Payout
     */
    public function get(string $id): array
    {
        return $this->read('/payout/{}', [$id]);
    }

    /**
     * @param array<string, mixed> $query
     * @return Listing<Payout>
     */
    public function list(array $query = []): Listing
    {
        return $this->listing('/payout', $query);
    }

    /**
     * @return PayoutMethods
     */
    public function methods(): array
    {
        return $this->read('/payout/methods');
    }

    /**
     * @param array<string, mixed> $qr
     * @return array<string, mixed>
     */
    public function readQr(array $qr): array
    {
        return $this->post('/payout/qr', [], $qr, Transport::SAFE);
    }
}
