<?php
namespace Pasarela\Woo;

defined('ABSPATH') || exit;

final class Locked extends \RuntimeException
{
}

/** One worker at a time for each order: checkout, webhook, refund and cron would overwrite each other. */
final class Lock
{
    private const SECONDS = 10;

    /** Gives `$work` the order as it is in the database. The database frees the lock of a dead process. */
    public static function hold(int $order_id, callable $work): mixed
    {
        global $wpdb;
        $name = 'pasarela_' . substr(md5(DB_NAME . $wpdb->prefix), 0, 12) . "_$order_id";
        if ((string) $wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, %d)', $name, self::SECONDS)) !== '1') {
            throw new Locked("Order $order_id is in use.");
        }
        try {
            clean_post_cache($order_id); // read before the lock, by this request
            $order = wc_get_order($order_id);
            if (!$order instanceof \WC_Order) {
                return null;
            }
            $order->read_meta_data(true);
            return $work($order);
        } finally {
            $wpdb->get_var($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $name));
        }
    }
}
