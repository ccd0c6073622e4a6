<?php

declare(strict_types=1);

namespace Pasarela\Exception;

/** No answer came: whether the service did something is unknown. */
class ConnectionError extends PasarelaError {}
