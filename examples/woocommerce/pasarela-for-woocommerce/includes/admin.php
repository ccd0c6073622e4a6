<?php
namespace Pasarela\Woo;

defined('ABSPATH') || exit;

/** The settings, the webhook's registration and what the order's page shows. */
final class Admin
{
    private const REGISTER = 'pasarela_woo_register';
    private const ENDPOINT = 'pasarela_woo_endpoint';
    private const KINDS = ['payment.completed', 'payment.failed', 'payment.expired', 'payment.cancelled', 'payment.confirmed',
        'payment.refunded', 'payment.partially_refunded', 'payment.disputed', 'payment.chargeback',
        'refund.approved', 'refund.rejected', 'refund.completed'];

    public static function hook(): void
    {
        add_action('admin_post_' . self::REGISTER, [self::class, 'register']);
        add_action('woocommerce_admin_order_data_after_billing_address', [self::class, 'print_document']);
        add_filter('woocommerce_payment_complete_order_status', [self::class, 'paid_status'], 20, 3);
        add_filter('woocommerce_privacy_remove_order_personal_data_meta', fn(array $known): array =>
            $known + ['_pasarela_doc_type' => 'text', '_pasarela_doc_number' => 'text']);
    }

    public static function fields(): array
    {
        return [
            'enabled' => ['title' => __('Enable', 'pasarela-for-woocommerce'), 'type' => 'checkbox', 'label' => 'Pasarela', 'default' => 'no'],
            'title' => ['title' => __('Title', 'pasarela-for-woocommerce'), 'type' => 'text', 'default' => __('PSE, bank transfer and more', 'pasarela-for-woocommerce')],
            'description' => ['title' => __('Description', 'pasarela-for-woocommerce'), 'type' => 'textarea', 'default' => __('You pay on a secure page and come back here.', 'pasarela-for-woocommerce')],
            'api_url' => ['title' => __('API address', 'pasarela-for-woocommerce'), 'type' => 'text', 'default' => '', 'placeholder' => 'https://…/api/v1'],
            'api_key' => ['title' => __('API key', 'pasarela-for-woocommerce'), 'type' => 'text', 'default' => '', 'placeholder' => 'pk_…'],
            'api_secret' => ['title' => __('API secret', 'pasarela-for-woocommerce'), 'type' => 'pasarela_secret',
                'description' => __('Or set PASARELA_API_SECRET in wp-config.php.', 'pasarela-for-woocommerce')],
            'webhook_secret' => ['title' => __('Webhook secret', 'pasarela-for-woocommerce'), 'type' => 'pasarela_secret',
                'description' => __('A new one is added to the old one, so that both are accepted during a rotation.', 'pasarela-for-woocommerce')],
            'forget_old_secret' => ['title' => __('Old webhook secret', 'pasarela-for-woocommerce'), 'type' => 'checkbox', 'default' => 'no',
                'label' => __('Forget it now: the rotation is over', 'pasarela-for-woocommerce')],
            'documents' => ['title' => __('Document', 'pasarela-for-woocommerce'), 'type' => 'checkbox', 'default' => 'yes',
                'label' => __('Ask for the document in the checkout. Without it, your account must allow orders without a document.', 'pasarela-for-woocommerce')],
            'minutes' => ['title' => __('Minutes to pay', 'pasarela-for-woocommerce'), 'type' => 'number', 'default' => '60', 'custom_attributes' => ['min' => '5', 'max' => '10080']],
            'paid_status' => ['title' => __('Paid orders', 'pasarela-for-woocommerce'), 'type' => 'select', 'default' => '', 'options' => [
                '' => __('As WooCommerce decides', 'pasarela-for-woocommerce'), 'processing' => __('Processing', 'pasarela-for-woocommerce'), 'completed' => __('Completed', 'pasarela-for-woocommerce')]],
            'failed_status' => ['title' => __('Refused payments', 'pasarela-for-woocommerce'), 'type' => 'select', 'default' => 'failed', 'options' => [
                'failed' => __('The order fails; the buyer may pay it again', 'pasarela-for-woocommerce'), 'pending' => __('The order stays pending', 'pasarela-for-woocommerce')]],
            'wait_for_finality' => ['title' => __('Final payments', 'pasarela-for-woocommerce'), 'type' => 'checkbox', 'default' => 'no',
                'label' => __('Keep paid orders on hold until the payment is final (payment.confirmed)', 'pasarela-for-woocommerce')],
            'refund_fee' => ['title' => __('Fee in full refunds', 'pasarela-for-woocommerce'), 'type' => 'checkbox', 'default' => 'no',
                'label' => __('When the whole order is refunded, return the buyer’s fee, too. You bear it.', 'pasarela-for-woocommerce')],
        ];
    }

    public static function paid_status(string $status, int $order_id, mixed $order): string
    {
        $wanted = Settings::get('paid_status');
        return $wanted !== '' && $order instanceof \WC_Order && $order->get_payment_method() === ID ? $wanted : $status;
    }

    public static function print_document(\WC_Order $order): void
    {
        $type = (string) $order->get_meta('_pasarela_doc_type');
        if ($type !== '') {
            echo '<p><strong>' . esc_html__('Document', 'pasarela-for-woocommerce') . ':</strong> '
                . esc_html($type . ' ' . $order->get_meta('_pasarela_doc_number')) . '</p>';
        }
    }

    public static function print_webhook(): void
    {
        $last = (int) get_option(Webhook::LAST, 0);
        echo '<h2>' . esc_html__('Webhook', 'pasarela-for-woocommerce') . '</h2><p><code>' . esc_html(Webhook::url()) . '</code></p><p>'
            . esc_html($last === 0 ? __('None has arrived yet.', 'pasarela-for-woocommerce')
                /* translators: %s: date and time */
                : sprintf(__('The last genuine one arrived on %s.', 'pasarela-for-woocommerce'), wp_date('Y-m-d H:i:s', $last))) . '</p>';
        $refused = (int) get_option(Webhook::LAST_REFUSED, 0);
        if ($refused > $last) {
            /* translators: %s: date and time */
            echo '<p>' . esc_html(sprintf(__('One was refused on %s: compare the secret, and the clock of this server.', 'pasarela-for-woocommerce'), wp_date('Y-m-d H:i:s', $refused))) . '</p>';
        }
        $result = sanitize_text_field(wp_unslash((string) ($_GET['pasarela'] ?? '')));
        if ($result !== '') {
            echo '<p><strong>' . esc_html($result === 'registered' ? __('The address is registered.', 'pasarela-for-woocommerce')
                : __('The address was not registered. The log of WooCommerce says why. The key needs the permission webhook:manage.', 'pasarela-for-woocommerce')) . '</strong></p>';
        }
        $url = wp_nonce_url(admin_url('admin-post.php?action=' . self::REGISTER), self::REGISTER);
        echo '<p><a class="button" href="' . esc_url($url) . '">' . esc_html__('Register this address with Pasarela', 'pasarela-for-woocommerce') . '</a></p>';
    }

    /** One click: the address goes to the account, and the secret comes back. */
    public static function register(): void
    {
        if (!current_user_can('manage_woocommerce')) {
            wp_die(esc_html__('You may not do this.', 'pasarela-for-woocommerce'), '', ['response' => 403]);
        }
        check_admin_referer(self::REGISTER);
        try {
            self::register_endpoint();
            $result = 'registered';
        } catch (ApiError $error) {
            log_line('error', "The webhook was not registered: {$error->reason}");
            $result = 'not-registered';
        }
        wp_safe_redirect(admin_url('admin.php?page=wc-settings&tab=checkout&section=' . ID . '&pasarela=' . $result));
        exit;
    }

    private static function register_endpoint(): void
    {
        $client = new Client();
        $wanted = ['url' => Webhook::url(), 'events' => self::KINDS, 'description' => mb_substr('WooCommerce ' . get_bloginfo('name'), 0, 200)];
        $known = (string) get_option(self::ENDPOINT, '');
        try {
            if ($known !== '' && Settings::webhook_secrets()) {
                $client->patch('/webhook-endpoints/' . rawurlencode($known), $wanted + ['enabled' => true]);
                return;
            }
        } catch (ApiError $error) {
            if ($error->status !== 404) {
                throw $error;
            }
        }
        $made = $client->post('/webhook-endpoints', $wanted, wp_generate_uuid4());
        Settings::add_webhook_secret((string) $made['secret']);
        update_option(self::ENDPOINT, (string) $made['id'], false);
    }
}
