<?php

declare(strict_types=1);

namespace Pasarela\Exception;

/** 429, also after the retries. */
final class RateLimitError extends ApiError {}
