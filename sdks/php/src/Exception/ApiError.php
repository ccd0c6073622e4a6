<?php

declare(strict_types=1);

namespace Pasarela\Exception;

/** The service refused: `errorCode` is for programs, the message for people. */
class ApiError extends PasarelaError
{
    /** The first field that is wrong, as a path. */
    public readonly ?string $field;

    /** @var array<string, string> every field that is wrong, with the reason */
    public readonly array $fields;

    /** @param array<string, mixed> $details */
    final public function __construct(
        public readonly int $status,
        /** One of Types::ERROR_CODES, or a newer one. (PHP keeps `code` for numbers.) */
        public readonly string $errorCode,
        string $message,
        public readonly array $details = [],
        /** Quote it when you ask support about this request. */
        public readonly ?string $requestId = null,
        public readonly ?float $retryAfterSeconds = null,
    ) {
        parent::__construct("$errorCode: $message", $status);
        $field = $details['field'] ?? null;
        $fields = $details['fields'] ?? null;
        $this->field = is_string($field) ? $field : null;
        $this->fields = is_array($fields) ? $fields : [];
    }

    /** The answer is not one of the service. */
    public static function ofStranger(int $status): self
    {
        return new (self::classOf($status))($status, "HTTP_$status", 'The answer is not one of the service.');
    }

    /** @return class-string<self> */
    public static function classOf(int $status): string
    {
        return match (true) {
            $status === 401 => AuthenticationError::class,
            $status === 403 => PermissionError::class,
            $status === 404 => NotFoundError::class,
            $status === 429 => RateLimitError::class,
            $status === 503 => ServiceUnavailableError::class,
            $status >= 500 => ServerError::class,
            $status >= 400 => InvalidRequestError::class,
            default => self::class,
        };
    }
}
