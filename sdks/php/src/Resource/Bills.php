<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Listing;
use Pasarela\Transport;
use Pasarela\Types;

/**
 * @phpstan-import-type Agreements from Types
 * @phpstan-import-type BillCheck from Types
 * @phpstan-import-type BillPayment from Types
 * @phpstan-import-type NewBillPayment from Types
 */
final class Bills extends Resource
{
    /**
     * @param array<string, mixed> $query
     * @return Listing<value-of<Agreements['items']>>
     */
    public function agreements(array $query = []): Listing
    {
        return $this->listing('/bills/agreements', [], $query, 'page');
    }

    /**
     * What is owed; it charges nothing.
     *
     * @param array<string, mixed> $bill
     * @return BillCheck
     */
    public function check(array $bill): array
    {
        return $this->post('/bills/check', [], $bill, Transport::SAFE);
    }

    /**
     * @param NewBillPayment $bill
     * @return BillPayment
     */
    public function pay(array $bill, ?string $idempotencyKey = null): array
    {
        return $this->post('/bills/pay', [], $bill, Transport::KEY, $idempotencyKey);
    }

    /** @return BillPayment */
    public function get(string $id): array
    {
        return $this->read('/bills/payments/{}', [$id]);
    }

    /**
     * @param array<string, mixed> $query
     * @return Listing<BillPayment>
     */
    public function list(array $query = []): Listing
    {
        return $this->listing('/bills/payments', [], $query);
    }
}
