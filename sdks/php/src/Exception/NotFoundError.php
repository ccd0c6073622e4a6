<?php

declare(strict_types=1);

namespace Pasarela\Exception;

/** 404: there is no such record in this account. */
final class NotFoundError extends ApiError {}
