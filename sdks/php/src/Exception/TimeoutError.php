<?php

declare(strict_types=1);

namespace Pasarela\Exception;

/** The answer did not come in time. */
final class TimeoutError extends ConnectionError {}
