<?php
// A shop with the plugin, driven line by line: {"do": command, ...} comes in, {"ok": …} or {"error": …} goes out.
// shop.php FOLDER_OF_THE_PLUGIN
// With WORDPRESS, the folder of a real one, that is used in place of wordpress.php.
error_reporting(E_ALL);
set_error_handler(function (int $level, string $text, string $file, int $line) use ($argv): bool {
    if (getenv('WORDPRESS') && !str_starts_with($file, $argv[1]) && !str_starts_with($file, __DIR__)) {
        return true; // WordPress's own
    }
    throw new ErrorException($text, 0, $level, $file, $line);
});
require __DIR__ . (getenv('WORDPRESS') ? '/real_wordpress.php' : '/wordpress.php');
require_once __DIR__ . '/woocommerce.php';
if (!getenv('WORDPRESS')) {
    load_plugin($argv[1]);
}

function gateway(): Pasarela\Woo\Gateway
{
    WC_Payment_Gateways::instance()->forget(); // each request of a shop makes it again
    return WC()->payment_gateways()->payment_gateways()['pasarela'];
}

function posted(array $fields): void
{
    $_POST = $_REQUEST = array_map('addslashes', $fields); // as WordPress does
    World::$notices = [];
}

function printed(callable $work): string
{
    ob_start();
    $work();
    return ob_get_clean();
}

$commands = [
    'options' => function (array $given): void {
        foreach ($given['options'] as $name => $value) {
            update_option($name, $value);
        }
    },
    'world' => function (array $given): void {
        foreach ($given['set'] as $name => $value) {
            World::$$name = $value;
        }
    },
    'option' => fn(array $given): mixed => get_option($given['name']),
    'see world' => fn(array $given): mixed => World::${$given['name']},
    'order' => function (array $given): int {
        $order = new WC_Order(0, $given['order'] + ['status' => 'pending', 'total' => '120000', 'currency' => 'COP', 'meta' => [],
            'name' => 'María Ñáñez', 'email' => 'maria@example.com', 'payment_method' => 'pasarela', 'transaction_id' => '', 'paid' => null]);
        return $order->save();
    },
    'change' => function (array $given): void {
        Store::$rows[$given['order']] = serialize($given['set'] + unserialize(Store::$rows[$given['order']]));
    },
    'status' => fn(array $given): bool => wc_get_order($given['order'])->update_status($given['status']),
    'pay' => function (array $given): array {
        posted($given['fields']);
        $is_valid = gateway()->validate_fields();
        $done = $is_valid ? gateway()->process_payment($given['order']) : ['result' => 'invalid'];
        return $done + ['notices' => World::$notices];
    },
    'see' => function (array $given): array {
        $order = wc_get_order($given['order']);
        $refunds = wc_get_orders(['type' => 'shop_order_refund', 'parent' => $given['order']]);
        return ['status' => $order->get_status(), 'transaction' => $order->get_transaction_id(), 'paid' => $order->get_date_paid() !== null,
            'notes' => array_column(Notes::$all[$given['order']] ?? [], 0), 'told' => array_column(array_filter(Notes::$all[$given['order']] ?? [], fn($note) => $note[1]), 0),
            'attempts' => $order->get_meta('_pasarela_attempts') ?: [], 'document' => [$order->get_meta('_pasarela_doc_type'), $order->get_meta('_pasarela_doc_number')],
            'completed' => count(array_keys(Notes::$completed, $given['order'], true)),
            'refunds' => array_map(fn($refund) => [$refund->get_amount(), $refund->get_meta('_pasarela_refund')['status'] ?? ''], $refunds)];
    },
    'webhook' => function (array $given): array {
        $request = new WP_REST_Request('POST', '/pasarela/v1/webhook');
        foreach ($given['headers'] as $name => $value) {
            $request->set_header($name, $value);
        }
        $request->set_body($given['body']);
        $answer = rest_do_request($request);
        return [$answer->get_status(), $answer->get_data()['result'] ?? $answer->get_data()['error'] ?? $answer->get_data()];
    },
    'refund' => function (array $given): string {
        $refund = wc_create_refund(['order_id' => $given['order'], 'amount' => $given['amount'], 'reason' => $given['reason'], 'refund_payment' => true]);
        return is_wp_error($refund) ? $refund->get_error_message() : 'booked';
    },
    'mails' => fn(array $given): bool => apply_filters('woocommerce_email_enabled_customer_refunded_order', true, wc_get_order($given['order'])),
    'may cancel' => fn(array $given): bool => apply_filters('woocommerce_cancel_unpaid_order', true, wc_get_order($given['order'])),
    'cron' => fn(): mixed => do_action('pasarela_woo_catch_up'),
    'available' => fn(): bool => gateway()->is_available(),
    'settings page' => fn(): string => printed(fn() => gateway()->admin_options()),
    'checkout page' => fn(): string => printed(fn() => gateway()->payment_fields()),
    'order page' => fn(array $given): string => printed(fn() => do_action('woocommerce_admin_order_data_after_billing_address', wc_get_order($given['order']))),
    'return page' => fn(array $given): string => printed(fn() => do_action('woocommerce_before_thankyou', $given['order'])),
    'save settings' => function (array $given): array {
        posted($given['fields']);
        gateway()->process_admin_options();
        return World::$notices;
    },
    'press' => function (array $given): string {
        posted($given['fields']);
        try {
            do_action('admin_post_' . $given['action']);
        } catch (Redirected $away) {
            return $away->getMessage();
        } catch (Died $end) {
            return 'died: ' . $end->getMessage();
        }
        return '';
    },
    'blocks' => function (): array {
        $registry = new class {
            public ?object $known = null;

            public function register(object $method): void
            {
                $this->known = $method;
            }
        };
        do_action('woocommerce_blocks_payment_method_type_registration', $registry);
        $registry->known->initialize();
        return ['name' => $registry->known->get_name(), 'active' => $registry->known->is_active(),
            'scripts' => $registry->known->get_payment_method_script_handles(), 'data' => $registry->known->get_payment_method_data()];
    },
    'features' => fn(): array => Automattic\WooCommerce\Utilities\FeaturesUtil::$declared,
    'uninstall' => function () use ($argv): array {
        define('WP_UNINSTALL_PLUGIN', 'pasarela-for-woocommerce');
        require $argv[1] . '/uninstall.php'; // the last command
        return [array_keys(World::$options), World::$scheduled];
    },
];

while (($line = fgets(STDIN)) !== false) {
    $given = json_decode($line, true, 64, JSON_THROW_ON_ERROR);
    try {
        $answer = ['ok' => $commands[$given['do']]($given)];
        if (World::$held !== 0) {
            throw new LogicException('A lock was not given back.');
        }
    } catch (Throwable $error) {
        $answer = ['error' => "$error"];
    }
    fwrite(STDOUT, json_encode($answer, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION) . "\n");
}
