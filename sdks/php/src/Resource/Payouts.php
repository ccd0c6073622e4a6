<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Transport;
use Pasarela\Types;

/**
 * @phpstan-import-type NewPayout from Types
 * @phpstan-import-type Payout from Types
 * @phpstan-import-type PayoutMethods from Types
 * @phpstan-import-type PayoutQr from Types
 * @phpstan-import-type QrToRead from Types
 * @extends Records<NewPayout, Payout, Payout, Payout>
 */
final class Payouts extends Records
{
    protected const PATH = '/payout';

    /** @return PayoutMethods */
    public function methods(): array
    {
        return $this->read('/payout/methods');
    }

    /**
     * Whom a QR code would pay. It sends nothing.
     *
     * @param QrToRead $qr
     * @return PayoutQr
     */
    public function readQr(array $qr): array
    {
        return $this->post('/payout/qr', [], $qr, Transport::SAFE);
    }
}
