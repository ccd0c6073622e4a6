<?php
namespace Pasarela\Woo;

defined('ABSPATH') || exit;

/**
 * What the shop is set to. Secrets have an option of their own, so that neither the settings page nor
 * WooCommerce's REST API, which print the gateway's settings, can print them.
 */
final class Settings
{
    private const SECRETS = 'pasarela_woo_secrets';

    public static function get(string $name, string $default = ''): string
    {
        $saved = get_option('woocommerce_' . ID . '_settings', []);
        return is_array($saved) && isset($saved[$name]) ? (string) $saved[$name] : $default;
    }

    public static function is_on(string $name): bool
    {
        return self::get($name) === 'yes';
    }

    /** Of this shop among those of one account: an event of another shop's order is not ours. */
    public static function shop(): string
    {
        $shop = get_option('pasarela_woo_shop', '');
        if (!is_string($shop) || $shop === '') {
            $shop = bin2hex(random_bytes(6));
            update_option('pasarela_woo_shop', $shop, false);
        }
        return $shop;
    }

    public static function api_secret(): string
    {
        return defined('PASARELA_API_SECRET') ? (string) PASARELA_API_SECRET : (string) (self::secrets()['api'] ?? '');
    }

    public static function save_api_secret(string $secret): void
    {
        update_option(self::SECRETS, ['api' => $secret] + self::secrets(), false);
    }

    /** The newest first. During a rotation there are two. @return string[] */
    public static function webhook_secrets(): array
    {
        return array_values((array) (self::secrets()['webhook'] ?? []));
    }

    public static function add_webhook_secret(string $secret): void
    {
        $others = array_diff(self::webhook_secrets(), [$secret]);
        self::save_webhook_secrets(array_slice([$secret, ...$others], 0, 2));
    }

    /** @param string[] $secrets */
    public static function save_webhook_secrets(array $secrets): void
    {
        update_option(self::SECRETS, ['webhook' => $secrets] + self::secrets(), false);
    }

    /** Keys go over TLS, or nowhere but to this machine. */
    public static function is_safe_address(string $address): bool
    {
        $scheme = wp_parse_url($address, PHP_URL_SCHEME);
        return $scheme === 'https' || ($scheme === 'http' && self::is_local($address));
    }

    public static function is_local(string $address): bool
    {
        return in_array(wp_parse_url($address, PHP_URL_HOST), ['localhost', '127.0.0.1'], true);
    }

    public static function is_complete(): bool
    {
        return self::get('api_key') !== '' && self::api_secret() !== '' && self::is_safe_address(self::get('api_url'));
    }

    private static function secrets(): array
    {
        $saved = get_option(self::SECRETS, []);
        return is_array($saved) ? $saved : [];
    }
}

/** Lines of WooCommerce, Status, Logs. Only ids and codes go there: no secret and no personal data. */
function log_line(string $level, string $message): void
{
    wc_get_logger()->log($level, $message, ['source' => ID]);
}

/** Money is compared as whole centavos, never as floats. */
function cents(mixed $amount): int
{
    return (int) round((float) $amount * 100);
}

function pesos(int $cents): string
{
    return '$' . number_format($cents / 100, $cents % 100 === 0 ? 0 : 2, ',', '.') . ' COP';
}
