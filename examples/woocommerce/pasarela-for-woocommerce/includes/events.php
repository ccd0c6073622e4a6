<?php
namespace Pasarela\Woo;

defined('ABSPATH') || exit;

/**
 * What happened at the service becomes a state of the order. Every effect is made once however often and
 * in whatever order events come, because each first looks at what the order says already.
 */
final class Events
{
    private const KEPT = 40;

    /** @param array $event {id, event, data}. Raises Locked. */
    public static function handle(array $event): string
    {
        $data = is_array($event['data'] ?? null) ? $event['data'] : [];
        $made_with = is_array($data['metadata'] ?? null) ? $data['metadata'] : [];
        if (($made_with['shop'] ?? null) !== Settings::shop() || !isset($data['id'], $data['reference'], $data['status'])) {
            return 'not of this shop';
        }
        $done = Lock::hold(absint($made_with['order'] ?? 0), function (\WC_Order $order) use ($event, $data): string {
            $known = (array) ($order->get_meta('_pasarela_events') ?: []);
            if (in_array($event['id'], $known, true)) {
                return 'known';
            }
            if (!self::is_of($order, $data)) {
                return 'not of this order';
            }
            self::apply($order, (string) $event['event'], $data);
            $order->update_meta_data('_pasarela_events', array_slice([...$known, $event['id']], -self::KEPT));
            $order->save();
            return 'done';
        });
        $done ??= 'no such order';
        if (!in_array($done, ['done', 'known'], true) && $data['status'] === 'COMPLETED') {
            log_line('critical', "Money without an order, $done: {$data['id']}");
        }
        return $done;
    }

    /** What the service says of a collection order now, by whichever way. */
    public static function take(\WC_Order $order, array $data, string $why = ''): void
    {
        $attempts = new Attempts($order);
        $before = $attempts->find((string) $data['id'], (string) $data['reference'])['status'] ?? '';
        $attempt = $attempts->learn($data);
        if ($data['status'] === 'COMPLETED') {
            self::paid($order, $data, $attempt);
        } elseif ($attempt['status'] !== $before && in_array($attempt['status'], ['FAILED', 'EXPIRED'], true)) {
            self::ended($order, $attempt, $attempts, $why);
        }
        if (!empty($data['confirmedAt'])) {
            self::confirmed($order, $data);
        }
    }

    /** The references of an order are known, and those that a payer's own retry makes follow from them. */
    private static function is_of(\WC_Order $order, array $data): bool
    {
        $prefix = sprintf('WC-%s-%d-', Settings::shop(), $order->get_id());
        return str_starts_with((string) $data['reference'], $prefix);
    }

    private static function apply(\WC_Order $order, string $kind, array $data): void
    {
        $why = implode(' ', array_filter([(string) ($data['failureReason'] ?? ''), (string) ($data['traceCode'] ?? '')]));
        self::take($order, $data, $why); // also of a refund: the news of the payment may have been lost
        match (true) {
            $kind === 'payment.confirmed' => self::confirmed($order, $data),
            $kind === 'payment.disputed', $kind === 'payment.chargeback' => self::disputed($order, $kind, $data),
            isset($data['refundId']) => Refunds::on_event($order, $kind, $data),
            default => null,
        };
    }

    private static function paid(\WC_Order $order, array $data, array $attempt): void
    {
        $id = (string) $data['id'];
        if ($order->get_transaction_id() === $id) {
            return;
        }
        if ($order->get_date_paid()) {
            self::paid_again($order, $id, $data);
            return;
        }
        $base = isset($data['baseAmount']) ? cents($data['baseAmount']) : -1;
        $wrong = $data['currency'] !== 'COP' || $order->get_currency() !== 'COP' || $base !== cents($order->get_total());
        $is_late = !$order->has_status(['pending', 'failed', 'on-hold']);
        $order->set_payment_method(ID);
        if ($wrong || $is_late) {
            $text = $wrong
                /* translators: 1: amount 2: reference 3: total of the order */
                ? __('Pasarela: %1$s arrived for %2$s, but the order is of %3$s. Deliver it, or refund it.', 'pasarela-for-woocommerce')
                /* translators: 1: amount 2: reference */
                : __('Pasarela: %1$s arrived for %2$s after the order had ended. Deliver it, or refund it.', 'pasarela-for-woocommerce');
            self::hold($order, $id, sprintf(esc_html($text), esc_html(self::paid_amount($data)),
                esc_html($attempt['reference']), esc_html(pesos(cents($order->get_total())))));
        } elseif (Settings::is_on('wait_for_finality') && empty($data['confirmedAt'])) {
            $order->update_meta_data('_pasarela_waits_for_finality', 'yes');
            self::hold($order, $id, esc_html__('Pasarela: paid. Waiting until the payment is final.', 'pasarela-for-woocommerce'));
        } else {
            if (!$order->payment_complete($id)) {
                throw new \RuntimeException('WooCommerce did not take the payment.');
            }
            $order->add_order_note(sprintf(
                /* translators: 1: amount without the fee 2: reference 3: id */
                esc_html__('Pasarela: %1$s paid for %2$s (%3$s). The buyer paid the fee on top.', 'pasarela-for-woocommerce'),
                esc_html(self::paid_amount($data)), esc_html($attempt['reference']), esc_html($id)));
        }
    }

    private static function hold(\WC_Order $order, string $id, string $note): void
    {
        $order->set_transaction_id($id);
        $order->set_date_paid(time());
        if ($order->has_status('on-hold')) { // WooCommerce drops the note of a change that is none
            $order->add_order_note($note);
        }
        $order->update_status('on-hold', $note . ' ');
        $order->save();
    }

    /** Two tries were paid, or the order was paid otherwise. Nothing is refunded without a person. */
    private static function paid_again(\WC_Order $order, string $id, array $data): void
    {
        $known = (array) ($order->get_meta('_pasarela_paid_again') ?: []);
        if (in_array($id, $known, true)) {
            return;
        }
        $order->update_meta_data('_pasarela_paid_again', [...$known, $id]);
        $order->add_order_note(sprintf(
            /* translators: 1: amount 2: id of the collection order */
            esc_html__('Pasarela: ATTENTION, paid twice. %1$s arrived again (%2$s). Return this second payment in the console of Pasarela.', 'pasarela-for-woocommerce'),
            esc_html(self::paid_amount($data)), esc_html($id)));
        $order->save();
        log_line('critical', "Order {$order->get_id()} is paid twice: $id");
    }

    private static function ended(\WC_Order $order, array $attempt, Attempts $attempts, string $why): void
    {
        $text = $attempt['status'] === 'FAILED'
            /* translators: 1: reference 2: reason and trace code */
            ? __('Pasarela: the payment of %1$s was refused. %2$s', 'pasarela-for-woocommerce')
            /* translators: 1: reference */
            : __('Pasarela: %1$s ended unpaid.', 'pasarela-for-woocommerce');
        $note = sprintf(esc_html($text), esc_html($attempt['reference']), esc_html($why));
        // An old try says nothing of the order while a newer one can be paid.
        $fails = $attempt['status'] === 'FAILED' && Settings::get('failed_status', 'failed') === 'failed'
            && $attempts->is_newest($attempt) && $order->has_status('pending') && !$order->get_date_paid();
        $fails ? $order->update_status('failed', $note . ' ') : $order->add_order_note($note);
    }

    private static function confirmed(\WC_Order $order, array $data): void
    {
        if ($order->get_meta('_pasarela_waits_for_finality') !== 'yes' || $order->get_transaction_id() !== (string) $data['id']) {
            return;
        }
        $order->delete_meta_data('_pasarela_waits_for_finality');
        $order->save();
        if ($order->has_status('on-hold')) {
            $order->payment_complete((string) $data['id']);
        }
    }

    private static function disputed(\WC_Order $order, string $kind, array $data): void
    {
        $note = sprintf(
            /* translators: 1: payment.disputed or payment.chargeback 2: amount 3: reason */
            esc_html__('Pasarela: %1$s of %2$s. %3$s', 'pasarela-for-woocommerce'),
            esc_html($kind), esc_html(pesos(cents($data['disputedAmount'] ?? 0))), esc_html((string) ($data['reason'] ?? '')));
        $order->has_status('processing') ? $order->update_status('on-hold', $note . ' ') : $order->add_order_note($note);
    }

    private static function paid_amount(array $data): string
    {
        return $data['currency'] === 'COP' ? pesos(cents($data['baseAmount'] ?? $data['amount'] ?? 0))
            : ($data['amount'] ?? '') . ' ' . $data['currency'];
    }
}
