<?php

declare(strict_types=1);

namespace Pasarela;

use Pasarela\Exception\ApiError;
use Pasarela\Exception\ConnectionError;
use Pasarela\Exception\PasarelaError;
use Pasarela\Exception\TimeoutError;

/** Requests with keys, time limits, and retries that cannot do anything twice. */
final class Transport
{
    /** It changes nothing, or the second time changes nothing more. */
    public const SAFE = 'safe';
    /** Its idempotency key makes it safe. */
    public const KEY = 'key';
    /** Sent again only if nothing was done. */
    public const ONCE = 'once';

    private const CONNECT_MS = 10_000;
    private const FIRST_PAUSE_MS = 500;
    private const LONGEST_PAUSE_MS = 8_000;

    public ?Response $last = null;
    private readonly string $base;
    private readonly \CurlHandle $curl;

    public function __construct(
        private readonly string $apiKey,
        private readonly string $apiSecret,
        string $baseUrl,
        private readonly int $timeoutMs,
        private readonly int $maxRetries,
        private readonly int $maxRetryDelayMs,
    ) {
        $trimmed = rtrim($baseUrl, '/');
        if ($apiKey === '' || $apiSecret === '' || !preg_match('~\Ahttps?://~', $trimmed)) {
            throw new \InvalidArgumentException('apiKey, apiSecret or baseUrl is missing.');
        }
        $this->base = parse_url($trimmed, PHP_URL_PATH) === null ? "$trimmed/api/v1" : $trimmed;
        $this->curl = curl_init();
    }

    /**
     * @param list<string> $ids for the `{}` of the path
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     */
    public function send(
        string $method,
        string $path,
        array $ids = [],
        string $repeat = self::SAFE,
        array $query = [],
        ?array $body = null,
        ?string $key = null,
    ): Response {
        // A key in the body serves as well, and two different ones would be refused.
        $key ??= $body['idempotencyKey'] ?? ($repeat === self::KEY ? self::randomKey() : null);
        $url = $this->base . self::fill($path, $ids) . self::queryString($query);
        $content = $body === null ? null : Json::encode($body);
        for ($attempt = 0; ; $attempt++) {
            try {
                return $this->last = $this->attempt($method, $url, $content, $key);
            } catch (PasarelaError $error) {
                $error->idempotencyKey = $key;
                $pause = self::pauseMs($error, $attempt);
                if ($attempt >= $this->maxRetries || !self::mayRepeat($repeat, $error) || $pause > $this->maxRetryDelayMs) {
                    throw $error;
                }
                usleep($pause * 1000);
            }
        }
    }

    private function attempt(string $method, string $url, ?string $content, ?string $key): Response
    {
        $headers = [];
        curl_reset($this->curl);
        // CURLOPT_FOLLOWLOCATION is off: the keys would follow a redirect to any host.
        curl_setopt_array($this->curl, [
            CURLOPT_URL => $url,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $this->headers($content, $key),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_CONNECTTIMEOUT_MS => min(self::CONNECT_MS, $this->timeoutMs),
            CURLOPT_TIMEOUT_MS => $this->timeoutMs,
            CURLOPT_HEADERFUNCTION => static function ($_curl, string $line) use (&$headers): int {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $headers[strtolower($name)] = trim($value);
                return strlen($line);
            },
        ]);
        if ($content !== null) {
            curl_setopt($this->curl, CURLOPT_POSTFIELDS, $content);
        }
        $text = curl_exec($this->curl);
        if (!is_string($text)) {
            $what = "$method $url: " . curl_error($this->curl);
            $number = curl_errno($this->curl);
            throw $number === CURLE_OPERATION_TIMEDOUT ? new TimeoutError($what, $number) : new ConnectionError($what, $number);
        }
        return self::answer(curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE), $headers, $text);
    }

    /** @return list<string> */
    private function headers(?string $content, ?string $key): array
    {
        $headers = [
            "X-Api-Key: $this->apiKey",
            "X-Api-Secret: $this->apiSecret",
            'User-Agent: pasarela-php/' . Types::VERSION . ' php/' . PHP_VERSION,
            'Accept: application/json',
            'Expect:', // or curl would wait a second before a long body
        ];
        if ($content !== null) {
            $headers[] = 'Content-Type: application/json';
        }
        if ($key !== null) {
            if (preg_match('/\A[!-~]{1,255}\z/', $key) !== 1) {
                throw new \InvalidArgumentException('An idempotency key has 1 to 255 visible ASCII characters.');
            }
            $headers[] = "Idempotency-Key: $key";
        }
        return $headers;
    }

    /** @param array<string, string> $headers */
    private static function answer(int $status, array $headers, string $text): Response
    {
        $isJson = str_starts_with($headers['content-type'] ?? '', 'application/json');
        try {
            $body = $isJson ? Json::decode($text) : null;
        } catch (\JsonException) {
            $body = null;
        }
        if ($status >= 200 && $status < 300 && ($body !== null || !$isJson)) {
            return new Response($status, $headers, $text, $body);
        }
        $error = is_array($body) && is_array($body['error'] ?? null) ? $body['error'] : [];
        throw new (ApiError::classOf($status))(
            $status,
            $error['code'] ?? "HTTP_$status",
            $error['message'] ?? 'The answer is not one of the service.',
            $error['details'] ?? [],
            $headers['x-request-id'] ?? null,
            self::retryAfter($headers['retry-after'] ?? ''),
        );
    }

    /** Seconds, or a date. */
    private static function retryAfter(string $value): ?float
    {
        if (ctype_digit($value)) {
            return (float) $value;
        }
        $at = $value === '' ? false : strtotime($value);
        return $at === false ? null : (float) max(0, $at - time());
    }

    private static function mayRepeat(string $repeat, PasarelaError $error): bool
    {
        if ($error instanceof ConnectionError) {
            $isUnsent = in_array($error->getCode(), [CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT], true);
            return $repeat !== self::ONCE || $isUnsent;
        }
        if (!$error instanceof ApiError) {
            return false;
        }
        if ($error->status === 429 || $error->status === 408) {
            return true; // nothing was done
        }
        if ($repeat === self::ONCE || $error->status < 500) {
            return false;
        }
        // The service's 503 without Retry-After says that the account does not have the product.
        return $error->status !== 503 || $error->retryAfterSeconds !== null || $error->errorCode === 'HTTP_503';
    }

    private static function pauseMs(PasarelaError $error, int $attempt): int
    {
        if ($error instanceof ApiError && $error->retryAfterSeconds !== null) {
            return (int) min($error->retryAfterSeconds * 1000, PHP_INT_MAX);
        }
        $longest = min(self::LONGEST_PAUSE_MS, self::FIRST_PAUSE_MS * 2 ** $attempt);
        return random_int(intdiv($longest, 2), $longest); // or all clients would come back together
    }

    /**
     * An empty id would lead to the list, and `..` to another path.
     *
     * @param list<string> $ids
     */
    private static function fill(string $path, array $ids): string
    {
        foreach ($ids as $id) {
            if (preg_match('/\A\.{0,2}\z/', $id) === 1) {
                throw new \InvalidArgumentException("$path: an id is missing.");
            }
            $path = (string) preg_replace('/\{\}/', rawurlencode($id), $path, 1);
        }
        return $path;
    }

    /** @param array<string, mixed> $query */
    private static function queryString(array $query): string
    {
        $given = array_filter($query, static fn(mixed $value): bool => $value !== null);
        return $given === [] ? '' : '?' . http_build_query($given, '', '&', PHP_QUERY_RFC3986);
    }

    private static function randomKey(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
