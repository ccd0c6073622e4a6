<?php
// What the plugin uses of WooCommerce, with the states and hooks that the real one goes through.
namespace Automattic\WooCommerce\Utilities {
    final class FeaturesUtil
    {
        public static array $declared = [];

        public static function declare_compatibility(string $feature, string $file, bool $is): bool
        {
            self::$declared[$feature] = $is;
            return true;
        }
    }
}

namespace Automattic\WooCommerce\Blocks\Payments\Integrations {
    abstract class AbstractPaymentMethodType
    {
        protected $name = '';
        protected $settings = [];

        public function get_name()
        {
            return $this->name;
        }

        protected function get_setting($name, $default = '')
        {
            return $this->settings[$name] ?? $default;
        }
    }
}

namespace {
    final class Store
    {
        public static array $rows = [];
        public static int $last = 100;
    }

    /** Like WC_Data: changes are seen by others when they are saved, and only changes are written. */
    abstract class WC_Data
    {
        protected array $loaded;
        protected array $changes = [];
        protected array $meta = [];

        public function __construct(protected int $id, array $new = [])
        {
            $this->loaded = unserialize(Store::$rows[$id] ?? serialize($new + ['meta' => []]));
        }

        public function get_id(): int
        {
            return $this->id;
        }

        protected function prop(string $name): mixed
        {
            return array_key_exists($name, $this->changes) ? $this->changes[$name] : ($this->loaded[$name] ?? null);
        }

        public function get_meta(string $name): mixed
        {
            return array_key_exists($name, $this->meta) ? $this->meta[$name] ?? '' : $this->loaded['meta'][$name] ?? '';
        }

        public function update_meta_data(string $name, mixed $value): void
        {
            $this->meta[$name] = $value;
        }

        public function delete_meta_data(string $name): void
        {
            $this->meta[$name] = null;
        }

        public function read_meta_data(bool $force): void
        {
            $this->loaded['meta'] = unserialize(Store::$rows[$this->id])['meta'];
            $this->meta = [];
        }

        public function save(): int
        {
            $this->id = $this->id ?: ++Store::$last;
            $row = isset(Store::$rows[$this->id]) ? unserialize(Store::$rows[$this->id]) : $this->loaded;
            $row = $this->changes + $row;
            $row['meta'] = array_filter($this->meta + $row['meta'], fn($value) => $value !== null);
            Store::$rows[$this->id] = serialize($row);
            $this->loaded = $row;
            $this->changes = $this->meta = [];
            return $this->id;
        }
    }

    class WC_Order extends WC_Data
    {
        public function get_status(): string
        {
            return $this->prop('status');
        }

        public function has_status(string|array $status): bool
        {
            return in_array($this->get_status(), (array) $status, true);
        }

        public function needs_payment(): bool
        {
            return $this->has_status(['pending', 'failed']) && $this->get_total() > 0;
        }

        public function get_total(): string
        {
            return (string) $this->prop('total');
        }

        public function get_currency(): string
        {
            return $this->prop('currency');
        }

        public function get_order_number(): string
        {
            return (string) $this->id;
        }

        public function get_formatted_billing_full_name(): string
        {
            return $this->prop('name');
        }

        public function get_billing_company(): string
        {
            return '';
        }

        public function get_billing_email(): string
        {
            return $this->prop('email');
        }

        public function get_payment_method(): string
        {
            return $this->prop('payment_method');
        }

        public function set_payment_method(string $id): void
        {
            $this->changes['payment_method'] = $id;
        }

        public function get_transaction_id(): string
        {
            return $this->prop('transaction_id') ?? '';
        }

        public function set_transaction_id(string $id): void
        {
            $this->changes['transaction_id'] = $id;
        }

        public function get_date_paid(): ?DateTimeImmutable
        {
            return $this->prop('paid') ? new DateTimeImmutable('@' . $this->prop('paid')) : null;
        }

        public function set_date_paid(int $at): void
        {
            $this->changes['paid'] = $at;
        }

        public function get_checkout_order_received_url(): string
        {
            return World::$home . "/checkout/order-received/{$this->id}/?key=wc_order_{$this->id}";
        }

        public function get_checkout_payment_url(): string
        {
            return World::$home . "/checkout/order-pay/{$this->id}/?pay_for_order=true&key=wc_order_{$this->id}";
        }

        public function add_order_note(string $note, int $is_for_customer = 0): int
        {
            Notes::$all[$this->id][] = [$note, (bool) $is_for_customer];
            return 1;
        }

        /** A note goes with a change of the status only, and saves all other changes. */
        public function update_status(string $to, string $note = ''): bool
        {
            $from = $this->get_status();
            $this->changes['status'] = $to;
            $this->save();
            if ($from !== $to) {
                $this->add_order_note(trim("$note Order status changed from $from to $to."));
                do_action("woocommerce_order_status_$to", $this->id, $this);
                do_action("woocommerce_order_status_{$from}_to_$to", $this->id, $this);
            }
            return true;
        }

        public function payment_complete(string $id): bool
        {
            if (!$this->has_status(['on-hold', 'pending', 'failed', 'cancelled'])) {
                return false;
            }
            $this->set_transaction_id($id);
            if (!$this->get_date_paid()) {
                $this->set_date_paid(time());
            }
            Notes::$completed[] = $this->id;
            return $this->update_status(apply_filters('woocommerce_payment_complete_order_status', 'processing', $this->id, $this));
        }

        public function get_total_refunded(): string
        {
            $refunds = wc_get_orders(['type' => 'shop_order_refund', 'parent' => $this->id, 'limit' => -1]);
            return (string) array_sum(array_map(fn($refund) => $refund->get_amount(), $refunds));
        }

        public function get_remaining_refund_amount(): string
        {
            return (string) ($this->get_total() - $this->get_total_refunded());
        }
    }

    final class Notes
    {
        public static array $all = [];
        public static array $completed = [];
    }

    final class WC_Order_Refund extends WC_Data
    {
        public function get_parent_id(): int
        {
            return $this->prop('parent');
        }

        public function get_amount(): string
        {
            return (string) $this->prop('amount');
        }

        public function get_reason(): string
        {
            return (string) $this->prop('reason');
        }

        public function set_refunded_payment(bool $is): void
        {
            $this->changes['refunded_payment'] = $is;
        }

        public function delete(bool $force = false): bool
        {
            unset(Store::$rows[$this->id]);
            $this->id = 0;
            return true;
        }
    }

    function wc_get_order(int $id): WC_Order|false
    {
        return isset(Store::$rows[$id]) && isset(unserialize(Store::$rows[$id])['status']) ? new WC_Order($id) : false;
    }

    function wc_get_orders(array $given): array
    {
        if (array_diff(array_keys($given), ['type', 'limit', 'parent', 'meta_key', 'meta_value', 'orderby', 'order'])) {
            throw new LogicException(json_encode($given));
        }
        $found = [];
        foreach (Store::$rows as $id => $row) {
            $row = unserialize($row);
            $is_refund = !isset($row['status']);
            if ($is_refund !== ($given['type'] === 'shop_order_refund') || (isset($given['parent']) && $row['parent'] !== $given['parent'])) {
                continue;
            }
            if (!isset($given['meta_key']) || ($row['meta'][$given['meta_key']] ?? null) === $given['meta_value']) {
                $found[] = $is_refund ? new WC_Order_Refund($id) : new WC_Order($id);
            }
        }
        return $found;
    }

    function wc_create_refund(array $args): WC_Order_Refund|WP_Error
    {
        $args += ['reason' => null, 'refund_payment' => false];
        $order = wc_get_order($args['order_id']);
        $remaining = $order->get_remaining_refund_amount();
        if ($args['amount'] < 0 || $args['amount'] > $remaining) {
            return new WP_Error('error', 'Invalid refund amount.');
        }
        $refund = new WC_Order_Refund(0, ['parent' => $order->get_id(), 'amount' => $args['amount'], 'reason' => $args['reason']]);
        do_action('woocommerce_create_refund', $refund, $args);
        $refund->save();
        if ($args['refund_payment']) {
            $result = WC_Payment_Gateways::instance()->payment_gateways()[$order->get_payment_method()]
                ->process_refund($order->get_id(), $refund->get_amount(), $refund->get_reason());
            if (!$result || is_wp_error($result)) {
                $refund->delete();
                return $result ?: new WP_Error('error', 'An error occurred.');
            }
            $refund->set_refunded_payment(true);
            $refund->save();
        }
        if ($remaining - $args['amount'] > 0) {
            do_action('woocommerce_order_partially_refunded', $order->get_id(), $refund->get_id());
        } else {
            do_action('woocommerce_order_fully_refunded', $order->get_id(), $refund->get_id());
            $status = apply_filters('woocommerce_order_fully_refunded_status', 'refunded', $order->get_id(), $refund->get_id());
            if ($status) {
                $order->update_status($status);
            }
        }
        $order->save();
        do_action('woocommerce_order_refunded', $order->get_id(), $refund->get_id());
        return $refund;
    }

    function wc_format_decimal(float|int|string $number): string
    {
        return rtrim(rtrim(number_format((float) $number, 2, '.', ''), '0'), '.');
    }

    function get_woocommerce_currency(): string
    {
        return World::$currency;
    }

    function wc_add_notice(string $text, string $kind): void
    {
        World::$notices[] = $text;
    }

    function woocommerce_form_field(string $name, array $given): void
    {
        echo '<p><label>' . esc_html($given['label']) . '</label><input name="' . esc_attr($name) . '"></p>';
    }

    function wc_get_logger(): object
    {
        return new class {
            public function log(string $level, string $message, array $context): void
            {
                if (!in_array($level, ['debug', 'info', 'notice', 'warning', 'error', 'critical'], true)) {
                    throw new LogicException($level);
                }
                World::$log[] = "$level $message";
            }
        };
    }

    abstract class WC_Payment_Gateway
    {
        public string $id;
        public string $title;
        public string $description;
        public string $method_title;
        public string $method_description;
        public bool $has_fields;
        public array $supports;
        public array $form_fields;
        public array $settings;

        public function init_settings(): void
        {
            $saved = get_option("woocommerce_{$this->id}_settings", null);
            $this->settings = $saved ?? array_map(fn($field) => $field['default'] ?? '', $this->form_fields);
        }

        public function get_option(string $name): string
        {
            return $this->settings[$name] ?? $this->form_fields[$name]['default'] ?? '';
        }

        public function update_option(string $name, string $value): void
        {
            $this->settings[$name] = $value;
            update_option("woocommerce_{$this->id}_settings", $this->settings);
        }

        public function is_available()
        {
            return $this->get_option('enabled') === 'yes';
        }

        protected function get_order_total(): float
        {
            return World::$cart_total;
        }

        public function get_return_url(WC_Order $order): string
        {
            return $order->get_checkout_order_received_url();
        }

        public function get_field_key(string $name): string
        {
            return "woocommerce_{$this->id}_$name";
        }

        public function process_admin_options()
        {
            $this->init_settings();
            foreach ($this->form_fields as $name => $field) {
                $given = $_POST[$this->get_field_key($name)] ?? null;
                $this->settings[$name] = match (true) {
                    method_exists($this, "validate_{$name}_field") => $this->{"validate_{$name}_field"}($name, $given),
                    method_exists($this, "validate_{$field['type']}_field") => $this->{"validate_{$field['type']}_field"}($name, $given),
                    $field['type'] === 'checkbox' => $given === null ? 'no' : 'yes',
                    default => stripslashes($given ?? ''),
                };
            }
            return update_option("woocommerce_{$this->id}_settings", $this->settings);
        }

        public function admin_options()
        {
            foreach ($this->form_fields as $name => $field) {
                $own = "generate_{$field['type']}_html";
                echo method_exists($this, $own) ? $this->$own($name, $field)
                    : '<input name="' . $this->get_field_key($name) . '" value="' . esc_attr($this->get_option($name)) . '">';
            }
        }

        public function add_error(string $text): void
        {
            World::$notices[] = $text;
        }

        public function display_errors(): void
        {
        }
    }

    final class WC_Payment_Gateways
    {
        private static ?self $only = null;
        private ?array $known = null;

        public static function instance(): self
        {
            return self::$only ??= new self();
        }

        public function payment_gateways(): array
        {
            if ($this->known === null) {
                $this->known = [];
                foreach (apply_filters('woocommerce_payment_gateways', []) as $class) {
                    $gateway = new $class();
                    $this->known[$gateway->id] = $gateway;
                }
            }
            return $this->known;
        }

        public function forget(): void
        {
            $this->known = null;
        }
    }

    function WC(): object
    {
        return new class {
            public ?object $session;

            public function __construct()
            {
                $this->session = new class {
                    public function get(string $name): mixed
                    {
                        return World::$session[$name] ?? null;
                    }

                    public function set(string $name, mixed $value): void
                    {
                        World::$session[$name] = $value;
                    }
                };
            }

            public function payment_gateways(): WC_Payment_Gateways
            {
                return WC_Payment_Gateways::instance();
            }
        };
    }
}
