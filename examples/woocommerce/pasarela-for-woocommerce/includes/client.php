<?php
namespace Pasarela\Woo;

defined('ABSPATH') || exit;

/** The service refused, or gave no answer that says whether it did what was asked. */
final class ApiError extends \Exception
{
    public function __construct(
        public readonly int $status,
        public readonly string $reason,
        string $message = '',
        public readonly array $details = [],
        private readonly bool $in_doubt = false,
    ) {
        parent::__construct($message);
    }

    /** Nothing was done, and the same request would be refused again. */
    public function is_final(): bool
    {
        return $this->status >= 400 && $this->status < 500 && !in_array($this->status, [401, 403, 408, 425, 429], true);
    }

    /** Whether it may have been done all the same: only the same request with the same key can tell. */
    public function is_in_doubt(): bool
    {
        return !$this->is_final() && ($this->in_doubt || $this->status === 0 || $this->status >= 500);
    }
}

/** The API, with retries. A POST is only sent again with the idempotency key of its first time. */
final class Client
{
    private const TRIES = 3;
    private const LONGEST_WAIT = 5; // seconds; a buyer is waiting

    public function get(string $path, array $query = []): array
    {
        return $this->call('GET', $path . ($query ? '?' . http_build_query($query, '', '&', PHP_QUERY_RFC3986) : ''));
    }

    /** Without a key the request must be harmless when it comes twice. */
    public function post(string $path, array $body, string $key = ''): array
    {
        return $this->call('POST', $path, $body, $key);
    }

    public function patch(string $path, array $body): array
    {
        return $this->call('PATCH', $path, $body);
    }

    private function call(string $method, string $path, ?array $body = null, string $key = ''): array
    {
        $in_doubt = false;
        for ($try = 1; ; $try++) {
            try {
                return $this->once($method, $path, $body, $key);
            } catch (ApiError $error) {
                $in_doubt = $in_doubt || $error->is_in_doubt();
                $wait = $error->details['retry_after'] ?? 0.25 * 2 ** $try + random_int(0, 100) / 1000;
                $is_worth_it = $error->is_in_doubt() || $error->status === 429;
                if (!$is_worth_it || $try === self::TRIES || $wait > self::LONGEST_WAIT) {
                    log_line('error', "$method $path: {$error->status} {$error->reason}");
                    throw new ApiError($error->status, $error->reason, $error->getMessage(), $error->details, $in_doubt);
                }
                usleep((int) ($wait * 1_000_000));
            }
        }
    }

    private function once(string $method, string $path, ?array $body, string $key): array
    {
        $address = untrailingslashit(Settings::get('api_url'));
        if (!Settings::is_complete()) {
            throw new ApiError(400, 'NOT_SET_UP', __('The keys or the address are missing in the settings.', 'pasarela-for-woocommerce'));
        }
        $headers = [
            'X-Api-Key' => Settings::get('api_key'),
            'X-Api-Secret' => Settings::api_secret(),
            'Accept' => 'application/json',
        ] + ($key === '' ? [] : ['Idempotency-Key' => $key]) + ($body === null ? [] : ['Content-Type' => 'application/json']);
        $answer = wp_remote_request($address . $path, [
            'method' => $method,
            'headers' => $headers,
            'body' => $body === null ? null : self::json((object) $body),
            'timeout' => 10,
            'redirection' => 0, // keys go to the address of the settings only
            'user-agent' => 'pasarela-for-woocommerce/' . VERSION,
        ]);
        if (is_wp_error($answer)) {
            throw new ApiError(0, 'NO_ANSWER');
        }
        $status = (int) wp_remote_retrieve_response_code($answer);
        $said = json_decode(wp_remote_retrieve_body($answer), true);
        if ($status >= 200 && $status < 300 && is_array($said['data'] ?? null)) {
            return $said['data'];
        }
        if ($status < 400) { // no answer of the API: a proxy or a portal
            throw new ApiError(0, 'STRANGE_ANSWER');
        }
        $error = is_array($said['error'] ?? null) ? $said['error'] : [];
        $details = is_array($error['details'] ?? null) ? $error['details'] : [];
        $after = wp_remote_retrieve_header($answer, 'retry-after');
        if (is_string($after) && ctype_digit($after)) {
            $details['retry_after'] = (int) $after;
        }
        throw new ApiError($status, (string) ($error['code'] ?? 'UNKNOWN'), (string) ($error['message'] ?? ''), $details);
    }

    /** Some hosts print 17 digits of a float: 120000.10 would become 120000.10000000001. */
    private static function json(object $body): string
    {
        $precision = ini_set('serialize_precision', '-1');
        try {
            return json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
        } finally {
            ini_set('serialize_precision', (string) $precision);
        }
    }
}
