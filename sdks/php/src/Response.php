<?php

declare(strict_types=1);

namespace Pasarela;

/** The answer to a request. */
final class Response
{
    /** @param array<string, string> $headers names in lower case */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $text,
        /** Decoded, or null if it is not JSON. */
        public readonly mixed $body,
    ) {
    }

    public function requestId(): ?string
    {
        return $this->headers['x-request-id'] ?? null;
    }

    /** The request had been done before: the answer is the resource as it stands now. */
    public function isReplayed(): bool
    {
        return ($this->headers['idempotent-replayed'] ?? '') === 'true';
    }
}
