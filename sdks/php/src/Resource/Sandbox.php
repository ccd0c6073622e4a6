<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Transport;
use Pasarela\Types;

/**
 * Outcomes on demand. None of this exists where money is real.
 *
 * @phpstan-import-type Dispute from Types
 * @phpstan-import-type Order from Types
 * @phpstan-import-type Payout from Types
 * @phpstan-import-type Refund from Types
 * @phpstan-import-type SandboxBalance from Types
 * @phpstan-import-type SandboxSettlement from Types
 */
final class Sandbox extends Resource
{
    /**
     * @param array<string, mixed> $outcome
     * @return Order
     */
    public function order(string $id, array $outcome): array
    {
        return $this->post('/sandbox/collect/{}', [$id], $outcome, Transport::ONCE);
    }

    /**
     * @param array<string, mixed> $outcome
     * @return Refund
     */
    public function refund(string $id, array $outcome): array
    {
        return $this->post('/sandbox/refund/{}', [$id], $outcome, Transport::ONCE);
    }

    /**
     * @param array<string, mixed> $outcome
     * @return Payout
     */
    public function payout(string $id, array $outcome): array
    {
        return $this->post('/sandbox/payout/{}', [$id], $outcome, Transport::ONCE);
    }

    /**
     * @param array<string, mixed> $dispute
     * @return Dispute
     */
    public function openDispute(string $orderId, array $dispute): array
    {
        return $this->post('/sandbox/collect/{}/dispute', [$orderId], $dispute, Transport::ONCE);
    }

    /**
     * @param array<string, mixed> $outcome
     * @return Dispute
     */
    public function decideDispute(string $id, array $outcome): array
    {
        return $this->post('/sandbox/dispute/{}', [$id], $outcome, Transport::ONCE);
    }

    /**
     * @param array<string, mixed> $credit
     * @return SandboxBalance
     */
    public function credit(array $credit): array
    {
        return $this->post('/sandbox/balance', [], $credit, Transport::ONCE);
    }

    /**
     * Sends settlement.closed with the figures of today so far.
     *
     * @return SandboxSettlement
     */
    public function closeSettlement(string $currency = 'COPM'): array
    {
        return $this->post('/sandbox/settlement', [], ['currency' => $currency], Transport::ONCE);
    }
}
