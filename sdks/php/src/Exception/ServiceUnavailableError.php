<?php

declare(strict_types=1);

namespace Pasarela\Exception;

/** 503: for the moment, if there is a retryAfterSeconds; else a product that is not enabled. */
final class ServiceUnavailableError extends ServerError {}
