<?php

declare(strict_types=1);

namespace Pasarela\Exception;

/** 401: the keys are missing, wrong or revoked, or the account is switched off. */
final class AuthenticationError extends ApiError {}
