<?php

declare(strict_types=1);

namespace Pasarela;

use Pasarela\Exception\SignatureError;

/**
 * Whether a webhook is from the service.
 *
 * `$headers` are names with values, a request's of PSR-7, or `$_SERVER`. `$secrets` is one, or during
 * a rotation both: `[$new, $old]`. `$body` is what arrived: `file_get_contents('php://input')`.
 *
 * @phpstan-import-type Event from Types
 */
final class Webhook
{
    public const TOLERANCE_SECONDS = 300;
    public const PREFIX = 'X-Service-';

    /**
     * The event, with its `id`, if the signature (Standard Webhooks) is right.
     *
     * @param array<string, mixed> $headers
     * @param string|list<string> $secrets
     * @return Event
     * @throws SignatureError
     */
    public static function verify(
        string $body,
        array $headers,
        string|array $secrets,
        int $toleranceSeconds = self::TOLERANCE_SECONDS,
    ): array {
        $id = self::header($headers, 'webhook-id');
        $timestamp = self::header($headers, 'webhook-timestamp');
        self::checkAge($timestamp, 1, $toleranceSeconds);
        $expected = array_map(static fn($each) => self::standard($each, $id, $timestamp, $body), self::listOf($secrets));
        self::checkSignature(explode(' ', self::header($headers, 'webhook-signature')), $expected);
        return self::event($body, $id);
    }

    /**
     * The same by `X-Service-Signature`. It does not sign the event's id, with which you recognise
     * duplicates: prefer `verify`.
     *
     * @param array<string, mixed> $headers
     * @param string|list<string> $secrets
     * @return Event
     * @throws SignatureError
     */
    public static function verifyServiceSignature(
        string $body,
        array $headers,
        string|array $secrets,
        int $toleranceSeconds = self::TOLERANCE_SECONDS,
        string $headerPrefix = self::PREFIX,
    ): array {
        $timestamp = self::header($headers, "{$headerPrefix}Timestamp");
        self::checkAge($timestamp, 1000, $toleranceSeconds);
        $expected = array_map(static fn($each) => self::service($each, $timestamp, $body), self::listOf($secrets));
        self::checkSignature([self::header($headers, "{$headerPrefix}Signature")], $expected);
        return self::event($body, self::header($headers, "{$headerPrefix}Event-Id"));
    }

    /**
     * The headers of a webhook as the service sends it: for tests of your receiver.
     *
     * @return array<string, string>
     */
    public static function sign(string $body, string $secret, string $id): array
    {
        $milliseconds = (string) (int) (microtime(true) * 1000);
        $seconds = substr($milliseconds, 0, -3);
        return [
            'Content-Type' => 'application/json',
            self::PREFIX . 'Timestamp' => $milliseconds,
            self::PREFIX . 'Signature' => self::service($secret, $milliseconds, $body),
            self::PREFIX . 'Event-Id' => $id,
            'webhook-id' => $id,
            'webhook-timestamp' => $seconds,
            'webhook-signature' => self::standard($secret, $id, $seconds, $body),
        ];
    }

    /** The key is what the base64 after `whsec_` encodes. */
    private static function standard(string $secret, string $id, string $timestamp, string $body): string
    {
        $key = (string) base64_decode(substr($secret, 6));
        return 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    }

    /** The key is the whole secret. */
    private static function service(string $secret, string $timestamp, string $body): string
    {
        return 'sha256=' . hash_hmac('sha256', "$timestamp.$body", $secret);
    }

    /**
     * @param string|list<string> $secrets
     * @return non-empty-list<string>
     */
    private static function listOf(string|array $secrets): array
    {
        $all = array_values((array) $secrets);
        // With an empty key anybody could sign.
        if ($all === [] || preg_grep('/\Awhsec_.{16,}\z/', $all, PREG_GREP_INVERT) !== []) {
            throw new \InvalidArgumentException('A webhook secret is missing, or does not begin with whsec_.');
        }
        return $all;
    }

    /** @param array<string, mixed> $headers */
    private static function header(array $headers, string $name): string
    {
        $wanted = [strtolower($name), 'http_' . strtolower(strtr($name, '-', '_'))];
        foreach ($headers as $each => $value) {
            $value = is_array($value) && count($value) === 1 ? reset($value) : $value;
            if (in_array(strtolower((string) $each), $wanted, true) && is_string($value) && $value !== '') {
                return $value;
            }
        }
        throw new SignatureError("The header $name is missing.");
    }

    private static function checkAge(string $timestamp, int $unitsPerSecond, int $tolerance): void
    {
        if (preg_match('/\A\d{1,15}\z/', $timestamp) !== 1) {
            throw new SignatureError('The timestamp is not a number.');
        }
        if (abs(microtime(true) - (int) $timestamp / $unitsPerSecond) > $tolerance) {
            throw new SignatureError('The timestamp is too far from now.');
        }
    }

    /**
     * @param list<string> $given
     * @param list<string> $expected
     */
    private static function checkSignature(array $given, array $expected): void
    {
        foreach ($expected as $right) {
            foreach ($given as $one) {
                if (hash_equals($right, $one)) {
                    return;
                }
            }
        }
        throw new SignatureError('No signature is right.');
    }

    /** @return Event */
    private static function event(string $body, string $id): array
    {
        try {
            $event = Json::decode($body);
        } catch (\JsonException) {
            $event = null;
        }
        return is_array($event) ? ['id' => $id] + $event : throw new SignatureError('The body is not JSON.');
    }
}
