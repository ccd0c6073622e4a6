<?php

declare(strict_types=1);

namespace Pasarela\Resource;

use Pasarela\Types;

/**
 * @phpstan-import-type NewTopup from Types
 * @phpstan-import-type Operator from Types
 * @phpstan-import-type Topup from Types
 * @extends Records<NewTopup, Topup, Topup, Topup>
 */
final class Topups extends Records
{
    protected const PATH = '/topup';

    /** @return list<Operator> */
    public function operators(): array
    {
        return $this->read('/topup/operators');
    }
}
