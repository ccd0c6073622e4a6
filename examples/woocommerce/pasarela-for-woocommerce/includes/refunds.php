<?php
namespace Pasarela\Woo;

defined('ABSPATH') || exit;

/**
 * Refunds wait for an operator of the service, while WooCommerce books one when it is asked for. The
 * booking is kept, marked, and finished or taken back when the service says how it ended.
 */
final class Refunds
{
    private const META = '_pasarela_refund';
    /** On the order while one of its refunds is open: cron finds it by this. */
    public const OPEN = '_pasarela_open_refunds';

    /** @var array<int, \WC_Order_Refund> by order: what WooCommerce is about to save */
    private static array $begun = [];

    public static function hook(): void
    {
        add_action('woocommerce_create_refund', [self::class, 'on_create'], 10, 2);
        add_filter('woocommerce_order_fully_refunded_status', [self::class, 'status_while_open'], 20, 2);
        foreach (['customer_refunded_order', 'customer_partially_refunded_order'] as $mail) {
            add_filter("woocommerce_email_enabled_$mail", [self::class, 'may_mail'], 20, 2);
        }
    }

    public static function on_create(\WC_Order_Refund $refund, array $args): void
    {
        $order = wc_get_order($refund->get_parent_id());
        if (!empty($args['refund_payment']) && $order instanceof \WC_Order && $order->get_payment_method() === ID) {
            $refund->update_meta_data(self::META, ['key' => wp_generate_uuid4(), 'id' => '', 'status' => 'NEW']);
            self::$begun[$order->get_id()] = $refund;
        }
    }

    /** The order is refunded when the money has gone back, not before. */
    public static function status_while_open(mixed $status, int $order_id): mixed
    {
        $order = wc_get_order($order_id);
        return $order instanceof \WC_Order && $order->get_meta(self::OPEN) === 'yes' ? '' : $status;
    }

    public static function may_mail(mixed $is_enabled, mixed $order): mixed
    {
        return $order instanceof \WC_Order && wc_get_order($order->get_id())?->get_meta(self::OPEN) === 'yes' ? false : $is_enabled;
    }

    /** @param \WC_Order $order locked */
    public static function ask(\WC_Order $order, int $amount, string $reason): bool|\WP_Error
    {
        $refund = self::$begun[$order->get_id()] ?? null;
        unset(self::$begun[$order->get_id()]);
        if ($order->get_transaction_id() === '' || $amount <= 0 || $refund === null) {
            return new \WP_Error('pasarela', __('This order was not paid with Pasarela, or the refund was not begun on its page.', 'pasarela-for-woocommerce'));
        }
        $kept = $refund->get_meta(self::META);
        $is_last = cents($order->get_total()) <= cents($order->get_total_refunded());
        $kept['body'] = ['reason' => mb_substr($reason !== '' ? $reason : 'WooCommerce', 0, 300)]
            + ($is_last && Settings::is_on('refund_fee') ? [] : ['amount' => $amount / 100]); // without: all that is left
        $kept['order'] = $order->get_transaction_id();
        try {
            self::send($order, $refund, $kept);
        } catch (ApiError $error) {
            if (!$error->is_in_doubt()) {
                return new \WP_Error('pasarela', sprintf(
                    /* translators: 1: code 2: what the service said */
                    __('Pasarela refused the refund: %1$s %2$s', 'pasarela-for-woocommerce'), esc_html($error->reason), esc_html($error->getMessage())));
            }
            self::keep($order, $refund, ['status' => 'SENDING'] + $kept);
            $order->add_order_note(esc_html__('Pasarela: the service did not answer. The plugin sends the refund again, with the same key, until it answers. Do not ask for it a second time.', 'pasarela-for-woocommerce'));
        }
        return true;
    }

    /** Cron, and an event of a refund: asks about each that is open. */
    public static function refresh(\WC_Order $order): void
    {
        foreach (self::all($order) as $refund) {
            $kept = $refund->get_meta(self::META);
            if (!is_array($kept) || !in_array($kept['status'], ['SENDING', 'PENDING', 'PROCESSING'], true)) {
                continue;
            }
            if ($kept['status'] !== 'SENDING') {
                self::learn($order, $refund, $kept, (new Client())->get("/collect/{$kept['order']}/refunds/{$kept['id']}"));
                continue;
            }
            try {
                self::send($order, $refund, $kept);
            } catch (ApiError $error) {
                if (!$error->is_final()) {
                    throw $error;
                }
                self::undo($order, $refund, $error->reason);
            }
        }
        self::mark($order);
    }

    public static function on_event(\WC_Order $order, string $kind, array $data): void
    {
        self::refresh($order); // also gives ids to refunds whose answer was lost
        $has_gone = in_array($kind, ['refund.completed', 'payment.refunded', 'payment.partially_refunded'], true);
        $id = (string) $data['refundId'];
        $known = (array) ($order->get_meta('_pasarela_console_refunds') ?: []);
        if (!$has_gone || $data['id'] !== $order->get_transaction_id() || in_array($id, $known, true) || self::find($order, $id)) {
            return;
        }
        $order->update_meta_data('_pasarela_console_refunds', [...$known, $id]);
        $order->save(); // first: a refund that is booked twice would hide money
        $amount = min(cents($data['refundedAmount'] ?? 0), cents($order->get_remaining_refund_amount()));
        if ($amount > 0) { // asked for in the console
            $refund = wc_create_refund(['order_id' => $order->get_id(), 'amount' => wc_format_decimal($amount / 100), 'reason' => (string) ($data['reason'] ?? '')]);
            if (is_wp_error($refund)) {
                throw new \RuntimeException("WooCommerce did not book refund $id");
            }
            $refund->update_meta_data(self::META, ['key' => '', 'id' => $id, 'status' => 'COMPLETED', 'order' => (string) $data['id']]);
            $refund->save();
        }
        $order->add_order_note(sprintf(
            /* translators: 1: amount 2: id of the refund */
            esc_html__('Pasarela: %1$s was refunded in the console (%2$s).', 'pasarela-for-woocommerce'),
            esc_html(pesos(cents($data['refundedAmount'] ?? 0))), esc_html($id)));
    }

    /** Read again each time: an order remembers the list of its refunds. @return \WC_Order_Refund[] */
    private static function all(\WC_Order $order): array
    {
        return wc_get_orders(['type' => 'shop_order_refund', 'parent' => $order->get_id(), 'limit' => -1]);
    }

    private static function find(\WC_Order $order, string $id): bool
    {
        foreach (self::all($order) as $refund) {
            if (($refund->get_meta(self::META)['id'] ?? '') === $id) {
                return true;
            }
        }
        return false;
    }

    private static function send(\WC_Order $order, \WC_Order_Refund $refund, array $kept): void
    {
        $data = (new Client())->post("/collect/{$kept['order']}/refunds", $kept['body'], $kept['key']);
        $order->add_order_note(sprintf(
            /* translators: 1: amount 2: id of the refund */
            esc_html__('Pasarela: refund of %1$s requested (%2$s). An operator decides; this order shows how it ends.', 'pasarela-for-woocommerce'),
            esc_html(pesos(cents($data['amount']))), esc_html((string) $data['id'])));
        self::learn($order, $refund, ['id' => (string) $data['id']] + $kept, $data);
    }

    private static function learn(\WC_Order $order, \WC_Order_Refund $refund, array $kept, array $data): void
    {
        $url = (string) ($data['destinationUrl'] ?? '');
        if ($url !== '' && empty($kept['told'])) {
            $kept['told'] = true;
            $order->add_order_note(sprintf(
                /* translators: %s: address */
                esc_html__('To get your refund, name your account here: %s', 'pasarela-for-woocommerce'), esc_url($url)), 1);
        }
        $before = $kept['status'];
        $kept['status'] = (string) $data['status'];
        if (in_array($kept['status'], ['FAILED', 'REFUNDED'], true)) {
            $was_rejected = !empty($data['rejectedAt']);
            self::undo($order, $refund, $was_rejected ? __('an operator rejected it', 'pasarela-for-woocommerce') : (string) ($data['failureReason'] ?? ''));
            return;
        }
        $is_news = $before !== $kept['status'] || (!empty($data['approvedAt']) && empty($kept['approved']));
        $kept['approved'] = !empty($data['approvedAt']);
        self::keep($order, $refund, $kept);
        if ($kept['status'] === 'COMPLETED') {
            self::finish($order, $kept, $data);
        } elseif ($is_news && $kept['approved']) {
            /* translators: %s: id of the refund */
            $order->add_order_note(sprintf(esc_html__('Pasarela: refund %s was approved. The money is on its way.', 'pasarela-for-woocommerce'), esc_html($kept['id'])));
        }
    }

    private static function finish(\WC_Order $order, array $kept, array $data): void
    {
        $order->add_order_note(sprintf(
            /* translators: 1: amount 2: id of the refund */
            esc_html__('Your refund of %1$s has been paid (%2$s).', 'pasarela-for-woocommerce'),
            esc_html(pesos(cents($data['amount']))), esc_html($kept['id'])), 1);
        if ($order->get_meta(self::OPEN) !== 'yes' && cents($order->get_remaining_refund_amount()) === 0) {
            $order->update_status('refunded');
        }
    }

    private static function undo(\WC_Order $order, \WC_Order_Refund $refund, string $why): void
    {
        $refund_id = $refund->get_id();
        $amount = cents($refund->get_amount());
        $refund->delete(true);
        do_action('woocommerce_refund_deleted', $refund_id, $order->get_id());
        $note = sprintf(
            /* translators: 1: amount 2: reason */
            esc_html__('Pasarela: the refund of %1$s was NOT made: %2$s. It was taken back here. If items went back to stock with it, correct the stock.', 'pasarela-for-woocommerce'),
            esc_html(pesos($amount)), esc_html($why));
        $order->has_status('refunded') ? $order->update_status('on-hold', $note . ' ') : $order->add_order_note($note);
        self::mark($order);
    }

    private static function keep(\WC_Order $order, \WC_Order_Refund $refund, array $kept): void
    {
        $refund->update_meta_data(self::META, $kept);
        $refund->save();
        self::mark($order);
    }

    private static function mark(\WC_Order $order): void
    {
        $is_open = false;
        foreach (self::all($order) as $refund) {
            $status = $refund->get_meta(self::META)['status'] ?? '';
            $is_open = $is_open || in_array($status, ['SENDING', 'PENDING', 'PROCESSING'], true);
        }
        $order->update_meta_data(self::OPEN, $is_open ? 'yes' : 'no');
        $order->save();
    }
}
