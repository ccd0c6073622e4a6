<?php
namespace Pasarela\Woo;

defined('ABSPATH') || exit;

/** POST …/wp-json/pasarela/v1/webhook, signed as Standard Webhooks. */
final class Webhook
{
    private const TOLERANCE = 300; // seconds
    private const MOST_BYTES = 262144;
    public const LAST = 'pasarela_woo_last_webhook';
    public const LAST_REFUSED = 'pasarela_woo_last_refused';

    public static function register(): void
    {
        register_rest_route('pasarela/v1', '/webhook', [
            'methods' => 'POST',
            'callback' => [self::class, 'receive'],
            'permission_callback' => '__return_true', // the signature is the permission
        ]);
    }

    public static function url(): string
    {
        return rest_url('pasarela/v1/webhook');
    }

    public static function receive(\WP_REST_Request $request): \WP_REST_Response
    {
        $body = (string) $request->get_body();
        $id = (string) $request->get_header('webhook-id');
        $at = (string) $request->get_header('webhook-timestamp');
        $signatures = (string) $request->get_header('webhook-signature');
        if (strlen($body) > self::MOST_BYTES || !self::is_genuine($id, $at, $body, $signatures, Settings::webhook_secrets())) {
            if (time() - (int) get_option(self::LAST_REFUSED, 0) > 60) { // strangers must not fill the log
                update_option(self::LAST_REFUSED, time(), false);
                log_line('warning', 'A webhook was refused: not genuine, or too old.');
            }
            return new \WP_REST_Response(['error' => 'not genuine'], 401);
        }
        $event = json_decode($body, true);
        if (!is_array($event) || !is_string($event['event'] ?? null)) {
            return new \WP_REST_Response(['error' => 'no event'], 400);
        }
        update_option(self::LAST, time(), false);
        try {
            return new \WP_REST_Response(['result' => Events::handle(['id' => $id] + $event)], 200);
        } catch (Locked) {
            return new \WP_REST_Response(['error' => 'in use'], 503); // it comes again
        } catch (\Throwable $error) {
            log_line('error', "Event $id failed: " . $error->getMessage());
            return new \WP_REST_Response(['error' => 'failed'], 500);
        }
    }

    /** One of the signatures is right with one of the secrets: during a rotation there may be two of each. */
    public static function is_genuine(string $id, string $at, string $body, string $signatures, array $secrets): bool
    {
        if ($id === '' || !ctype_digit($at) || abs(time() - (int) $at) > self::TOLERANCE) {
            return false;
        }
        foreach ($secrets as $secret) {
            $key = base64_decode(substr($secret, strlen('whsec_')), true);
            if (!str_starts_with($secret, 'whsec_') || $key === false || strlen($key) < 16) {
                continue;
            }
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$at.$body", $key, true));
            foreach (explode(' ', $signatures) as $signature) {
                if (hash_equals($expected, $signature)) {
                    return true;
                }
            }
        }
        return false;
    }
}
