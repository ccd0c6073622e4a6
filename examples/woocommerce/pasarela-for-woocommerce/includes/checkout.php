<?php
namespace Pasarela\Woo;

defined('ABSPATH') || exit;

/** The buyer may be paying another amount at this moment. */
final class PaymentUnderWay extends \RuntimeException
{
}

/** From an order of the shop to a page where it is paid, without a second payable page beside it. */
final class Checkout
{
    private const MOST_REFERENCES = 5;
    private const MARGIN = 120; // seconds: a page that ends sooner is not given out again

    public static function hook(): void
    {
        add_action('woocommerce_order_status_cancelled', [self::class, 'on_cancelled']);
        add_filter('woocommerce_cancel_unpaid_order', [self::class, 'may_cancel'], 20, 2);
        add_action('woocommerce_before_thankyou', [self::class, 'on_return']);
    }

    private readonly Attempts $attempts;
    private bool $has_return = true;

    /** @param \WC_Order $order locked */
    public function __construct(private readonly \WC_Order $order, private readonly Client $client)
    {
        $this->attempts = new Attempts($order);
    }

    /** Where the buyer goes now. Raises ApiError, PaymentUnderWay. */
    public function next_page(): string
    {
        $body = $this->body();
        $hash = hash('sha256', (string) wp_json_encode($body));
        foreach ($this->attempts->all() as $attempt) {
            $page = $this->page_of($attempt, $hash, cents($body['amount']));
            if ($page !== '' || $this->is_paid()) {
                return $page ?: $this->order->get_checkout_order_received_url();
            }
        }
        return $this->create($body, $hash);
    }

    /** Reads what became of each open try. Returns whether a buyer is paying one of them. */
    public function refresh(): bool
    {
        $is_busy = false;
        foreach ($this->attempts->all() as $attempt) {
            if ($attempt['id'] !== '' && in_array($attempt['status'], Attempts::OPEN, true)) {
                $status = $this->read($attempt)['status'];
                $is_busy = $is_busy || in_array($status, ['PROCESSING', 'WAITING_TRANSFER'], true);
            }
        }
        return $is_busy;
    }

    public function is_paid(): bool
    {
        return (bool) $this->order->get_date_paid();
    }

    /** Ends what no buyer is paying, so that a cancelled order is not paid. */
    public function cancel_open(): void
    {
        foreach ($this->attempts->all() as $attempt) {
            if ($attempt['id'] !== '' && in_array($attempt['status'], Attempts::OPEN, true) && !$this->cancel($attempt)) {
                $this->order->add_order_note(sprintf(
                    /* translators: %s: a reference */
                    esc_html__('Pasarela: a payment of %s is under way and could not be cancelled. If it arrives, this order is set to on-hold.', 'pasarela-for-woocommerce'),
                    esc_html($attempt['reference'])
                ));
            }
        }
    }

    /** Empty: this try is over, and another may begin. */
    private function page_of(array $attempt, string $hash, int $base): string
    {
        if ($attempt['id'] === '' && $attempt['status'] === 'SENDING') {
            return $this->find_out($attempt, $hash, $base);
        }
        if (in_array($attempt['status'], Attempts::OPEN, true)) {
            $attempt = $this->read($attempt);
        }
        if ($attempt['status'] === 'FAILED' && $attempt['retry_of'] === '') {
            $attempt = $this->live_sibling($attempt) ?? $attempt;
        }
        if ($attempt['status'] === 'PENDING') {
            $is_same = $attempt['hash'] === $hash && $attempt['expires'] > time() + self::MARGIN;
            if (!$is_same && $this->cancel($attempt)) {
                return '';
            }
        }
        if (!in_array($attempt['status'], Attempts::OPEN, true)) {
            return '';
        }
        if ($attempt['base'] !== $base) {
            throw new PaymentUnderWay();
        }
        return $attempt['url'];
    }

    /** The answer to its creation was lost: the same request with the same key brings it. */
    private function find_out(array $attempt, string $hash, int $base): string
    {
        if ($attempt['hash'] === $hash) {
            try {
                return $this->page_of($this->send($attempt), $hash, $base);
            } catch (ApiError $error) {
                if (!$error->is_final()) {
                    throw $error;
                }
                $this->attempts->save(['status' => 'REFUSED'] + $attempt);
                return '';
            }
        }
        $known = $this->client->get('/collect', ['reference' => $attempt['reference']]);
        if ($known) {
            return $this->page_of($this->attempts->learn($known[0], $attempt), $hash, $base);
        }
        $this->attempts->save(['status' => 'ABANDONED'] + $attempt); // no buyer has its page
        return '';
    }

    private function read(array $attempt): array
    {
        try {
            $data = $this->client->get('/collect/' . rawurlencode($attempt['id']));
        } catch (ApiError $error) {
            if ($error->status !== 404) {
                throw $error;
            }
            return $this->attempts->save(['status' => 'ABANDONED'] + $attempt); // the keys are of another account now
        }
        Events::take($this->order, $data);
        return $this->attempts->find($attempt['id'], $attempt['reference']) ?? $attempt;
    }

    /** The payer may have pressed “Try again” on the payment page: another order with the same data. */
    private function live_sibling(array $attempt): ?array
    {
        foreach ([2, 3, 4] as $number) {
            $found = $this->client->get('/collect', ['reference' => $attempt['reference'] . "-$number"]);
            if (!$found || ($found[0]['retryOf'] ?? '') !== $attempt['id']) {
                return null;
            }
            Events::take($this->order, $found[0]);
            $sibling = $this->attempts->find($found[0]['id'], $found[0]['reference']);
            if ($sibling !== null && !in_array($sibling['status'], ['FAILED', 'EXPIRED'], true)) {
                return $sibling;
            }
        }
        return null;
    }

    /** Whether it can no longer be paid. */
    private function cancel(array $attempt): bool
    {
        try {
            $this->attempts->learn($this->client->post('/collect/' . rawurlencode($attempt['id']) . '/cancel', []), $attempt);
            return true;
        } catch (ApiError $error) {
            if ($error->reason !== 'ORDER_NOT_CANCELLABLE') {
                throw $error;
            }
            return !in_array($this->read($attempt)['status'], [...Attempts::OPEN, 'COMPLETED'], true);
        }
    }

    private function create(array $body, string $hash): string
    {
        for ($left = self::MOST_REFERENCES; ; $left--) {
            $attempt = $this->attempts->begin(cents($body['amount']), $hash);
            try {
                return $this->send($attempt)['url'];
            } catch (ApiError $error) {
                if ($error->is_final()) {
                    $this->attempts->save(['status' => 'REFUSED'] + $attempt);
                }
                if (isset($this->body()['callbackUrl']) && ($error->details['field'] ?? '') === 'callbackUrl') {
                    $this->has_return = false; // the buyer stays on the payment page
                    continue;
                }
                // The reference was used before a backup of the shop was restored.
                $is_taken = $error->reason === 'VALIDATION_ERROR' && isset($error->details['existingId']);
                if (!$is_taken || $left === 1) {
                    throw $error;
                }
            }
        }
    }

    private function send(array $attempt): array
    {
        $body = $this->body() + [
            'reference' => $attempt['reference'],
            'metadata' => ['shop' => Settings::shop(), 'order' => $this->order->get_id()],
        ];
        $made = $this->client->post('/collect', $body, $attempt['key']);
        $is_ours = $made['reference'] === $attempt['reference'] && $made['currency'] === 'COP';
        if (!$is_ours || cents($made['baseAmount'] ?? 0) !== $attempt['base']) {
            throw new ApiError(502, 'STRANGE_ANSWER');
        }
        return $this->attempts->learn($made, $attempt);
    }

    /** All but reference and metadata. The same order gives the same body. */
    private function body(): array
    {
        $order = $this->order;
        $name = self::text($order->get_formatted_billing_full_name() ?: $order->get_billing_company(), 200);
        $back = $order->get_checkout_order_received_url();
        $type = (string) $order->get_meta('_pasarela_doc_type');
        return [
            'amount' => cents($order->get_total()) / 100,
            'currency' => 'COP',
            /* translators: 1: number of the order 2: name of the shop */
            'description' => self::text(sprintf(__('Order %1$s, %2$s', 'pasarela-for-woocommerce'), $order->get_order_number(), get_bloginfo('name')), 500),
            'customerName' => $name !== '' ? $name : $order->get_billing_email(),
            'customerEmail' => $order->get_billing_email(),
            'expirationMinutes' => min(10080, max(5, (int) Settings::get('minutes', '60'))),
        ] + ($type === '' ? [] : [
            'customerDocType' => $type,
            'customerDocNumber' => (string) $order->get_meta('_pasarela_doc_number'),
        ]) + ($this->has_return && Settings::is_safe_address($back) ? ['callbackUrl' => $back] : []);
    }

    private static function text(string $text, int $most): string
    {
        $plain = html_entity_decode(wp_strip_all_tags($text), ENT_QUOTES, 'UTF-8');
        return mb_substr(trim((string) preg_replace('/[\x{00}-\x{1f}\x{7f}-\x{9f}]+/u', ' ', $plain)), 0, $most);
    }

    public static function on_cancelled(int $order_id): void
    {
        self::quietly($order_id, fn(self $checkout) => $checkout->cancel_open());
    }

    /** WooCommerce cancels orders that stay unpaid; not one that a buyer is paying. */
    public static function may_cancel(bool $may, \WC_Order $order): bool
    {
        return $may && !($order->get_payment_method() === ID
            && self::quietly($order->get_id(), fn(self $checkout) => $checkout->refresh() || $checkout->is_paid()));
    }

    /** The return proves nothing, so the service is asked. WooCommerce has checked the order's key. */
    public static function on_return(int $order_id): void
    {
        $order = wc_get_order($order_id);
        if (!$order instanceof \WC_Order || $order->get_payment_method() !== ID) {
            return;
        }
        if (!$order->get_date_paid()) {
            self::quietly($order_id, fn(self $checkout) => $checkout->refresh());
            $order = wc_get_order($order_id);
        }
        $newest = (new Attempts($order))->all()[0]['status'] ?? '';
        if ($order->get_date_paid()) {
            $text = esc_html__('We have received your payment.', 'pasarela-for-woocommerce');
        } elseif (in_array($newest, Attempts::OPEN, true)) {
            $text = esc_html__('We are waiting for the confirmation of your payment. You will get an e-mail.', 'pasarela-for-woocommerce');
        } elseif ($order->needs_payment()) {
            $text = esc_html__('The payment was not made.', 'pasarela-for-woocommerce') . ' <a href="'
                . esc_url($order->get_checkout_payment_url()) . '">' . esc_html__('Try again', 'pasarela-for-woocommerce') . '</a>';
        } else {
            return;
        }
        echo '<p class="pasarela-state" role="status">' . $text . '</p>'; // each part is escaped
    }

    private static function quietly(int $order_id, callable $work): mixed
    {
        try {
            return Lock::hold($order_id, fn(\WC_Order $order) => (new Attempts($order))->all()
                ? $work(new self($order, new Client())) : null);
        } catch (ApiError | Locked $error) {
            log_line('warning', "Order $order_id: " . $error->getMessage());
            return null;
        }
    }
}
