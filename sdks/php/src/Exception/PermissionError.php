<?php

declare(strict_types=1);

namespace Pasarela\Exception;

/** 403: the account does not have the product, or the key lacks the permission. */
final class PermissionError extends ApiError {}
