<?php

declare(strict_types=1);

namespace Pasarela;

/** JSON without floats: a number with a fraction is a string in PHP, and a number on the wire. */
final class Json
{
    // Strings are matched first, so that digits inside them are left alone.
    private const STRING_OR_NUMBER = '/"(?:[^"\\\\]++|\\\\.)*+"|-?\d++(?:\.\d++)?(?:[eE][+-]?\d++)?/';

    /** @throws \JsonException */
    public static function decode(string $text): mixed
    {
        $quoted = preg_replace_callback(
            self::STRING_OR_NUMBER,
            static fn(array $found): string => $found[0][0] !== '"' && strpbrk($found[0], '.eE') !== false
                ? "\"$found[0]\""
                : $found[0],
            $text,
        );
        return json_decode($quoted ?? $text, true, 512, JSON_THROW_ON_ERROR | JSON_BIGINT_AS_STRING);
    }

    /**
     * @param array<string, mixed> $body
     * @throws \JsonException of what is not a number (NAN), too
     */
    public static function encode(array $body): string
    {
        $mark = bin2hex(random_bytes(8));
        $marked = self::withNumbers($body, $mark);
        $text = json_encode((object) $marked, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
        return (string) preg_replace("/\"$mark(-?[0-9.]+)\"/", '$1', $text);
    }

    /**
     * Amounts that are strings become numbers; what you keep in metadata stays as it is.
     *
     * @param array<mixed> $values
     * @return array<mixed>
     */
    private static function withNumbers(array $values, string $mark): array
    {
        foreach ($values as $name => $value) {
            if ($name === 'metadata') {
                $values[$name] = $value === [] ? new \stdClass() : $value;
            } elseif (is_array($value)) {
                $values[$name] = self::withNumbers($value, $mark);
            } elseif (is_string($value) && in_array($name, Types::NUMBER_FIELDS, true)) {
                if (preg_match('/\A-?\d+(\.\d+)?\z/', $value) !== 1) {
                    throw new \InvalidArgumentException("$name is not a decimal number.");
                }
                $values[$name] = $mark . $value;
            }
        }
        return $values;
    }
}
