<?php

declare(strict_types=1);

namespace Pasarela\Exception;

/** Every error of this package. */
class PasarelaError extends \RuntimeException
{
    /** The key of the request, also one that was made here: with it you can send it again. */
    public ?string $idempotencyKey = null;
}
