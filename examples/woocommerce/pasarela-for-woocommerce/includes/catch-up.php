<?php
namespace Pasarela\Woo;

defined('ABSPATH') || exit;

/** Every five minutes: the events that no webhook brought, and how open refunds stand. */
final class CatchUp
{
    private const CURSOR = 'pasarela_woo_cursor';
    private const PAGES = 10;
    private const PAGE = 100;
    private const MOST_FAILURES = 12; // an hour; one event must not hide all that follow

    public static function hook(): void
    {
        add_filter('cron_schedules', function (array $known): array {
            $known['pasarela_woo'] = ['interval' => 300, 'display' => __('Every five minutes (Pasarela)', 'pasarela-for-woocommerce')];
            return $known;
        });
        add_action(CATCH_UP, [self::class, 'run']);
        add_action('init', function (): void {
            if (!wp_next_scheduled(CATCH_UP)) {
                wp_schedule_event(time() + 60, 'pasarela_woo', CATCH_UP);
            }
        });
    }

    public static function run(): void
    {
        if (!Settings::is_complete()) {
            return;
        }
        try {
            self::read_feed();
        } catch (ApiError $error) {
            log_line('warning', "Events could not be read: {$error->reason}");
        }
        self::each_with(Refunds::OPEN, fn(\WC_Order $order) => Refunds::refresh($order));
        self::each_with('_pasarela_waits_for_finality', fn(\WC_Order $order) => Events::take(
            $order, (new Client())->get('/collect/' . rawurlencode($order->get_transaction_id()))));
    }

    /** The keys may be of another account now: its events begin with the first. */
    public static function begin_again(): void
    {
        delete_option(self::CURSOR);
    }

    private static function read_feed(): void
    {
        $client = new Client();
        $cursor = get_option(self::CURSOR, []) + ['after' => '', 'failures' => 0];
        for ($page = 0; $page < self::PAGES; $page++) {
            try {
                $events = $client->get('/events', array_filter(['after' => $cursor['after'], 'limit' => self::PAGE]));
            } catch (ApiError $error) {
                if ($error->reason === 'VALIDATION_ERROR' && ($error->details['field'] ?? '') === 'after') {
                    self::begin_again();
                }
                throw $error;
            }
            foreach ($events as $event) {
                if (!self::is_done($event, $cursor['failures'])) {
                    update_option(self::CURSOR, ['failures' => $cursor['failures'] + 1] + $cursor, false);
                    return;
                }
                $cursor = ['after' => (string) $event['id'], 'failures' => 0];
            }
            update_option(self::CURSOR, $cursor, false);
            if (count($events) < self::PAGE) {
                return;
            }
        }
    }

    private static function is_done(array $event, int $failures): bool
    {
        try {
            Events::handle($event);
            return true;
        } catch (\Throwable $error) {
            $is_given_up = $failures >= self::MOST_FAILURES;
            log_line($is_given_up ? 'critical' : 'error', "Event {$event['id']} failed"
                . ($is_given_up ? ' and is left out: ' : ': ') . $error->getMessage());
            return $is_given_up;
        }
    }

    private static function each_with(string $meta, callable $work): void
    {
        $orders = wc_get_orders(['type' => 'shop_order', 'limit' => 200, 'meta_key' => $meta, 'meta_value' => 'yes', 'orderby' => 'rand']);
        foreach ($orders as $order) {
            try {
                Lock::hold($order->get_id(), $work);
            } catch (\Throwable $error) {
                log_line('warning', "Order {$order->get_id()}: " . $error->getMessage());
            }
        }
    }
}
