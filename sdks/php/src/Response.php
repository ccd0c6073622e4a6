<?php

declare(strict_types=1);

namespace Pasarela;

use Pasarela\Exception\ApiError;

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

    /**
     * What the envelope carries.
     *
     * @return array<mixed>
     * @throws ApiError if something else answered: a proxy, another site
     */
    public function data(): array
    {
        $data = is_array($this->body) ? $this->body['data'] ?? null : null;
        return is_array($data) ? $data : throw ApiError::ofStranger($this->status);
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
