<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Transport;
use Pasarela\Types;

/**
 * What payers pay, at `collectUrl`.
 *
 * @phpstan-import-type CreatedOrder from Types
 * @phpstan-import-type NewCharge from Types
 * @phpstan-import-type NewOrder from Types
 * @phpstan-import-type Order from Types
 * @phpstan-import-type OrderCharge from Types
 * @phpstan-import-type OrderMethod from Types
 * @phpstan-import-type OrderStatistics from Types
 * @extends Records<NewOrder, CreatedOrder, Order, Order>
 */
final class Orders extends Records
{
    protected const PATH = '/collect';

    /** @return Order */
    public function cancel(string $id): array
    {
        return $this->post('/collect/{}/cancel', [$id], null, Transport::ONCE);
    }

    /** @return OrderStatistics */
    public function statistics(): array
    {
        return $this->read('/collect/stats');
    }

    /** @return list<OrderMethod> */
    public function methods(string $id): array
    {
        return $this->read('/collect/{}/methods', [$id]);
    }

    /**
     * Never repeated by itself: each request begins a new charge.
     *
     * @param NewCharge $charge
     * @return OrderCharge
     */
    public function pay(string $id, array $charge): array
    {
        return $this->post('/collect/{}/pay', [$id], $charge, Transport::ONCE);
    }
}
