<?php

declare(strict_types=1);

namespace Pasarela\Exception;

/** A webhook is not from the service, or is too old. Answer it with 400. */
final class SignatureError extends PasarelaError {}
