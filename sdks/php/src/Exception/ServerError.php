<?php

declare(strict_types=1);

namespace Pasarela\Exception;

/** 5xx, also after the retries: send it again with the same idempotency key. */
class ServerError extends ApiError {}
