<?php

declare(strict_types=1);

namespace Pasarela\Exception;

/** 4xx: nothing was done. Correct the request. */
final class InvalidRequestError extends ApiError {}
