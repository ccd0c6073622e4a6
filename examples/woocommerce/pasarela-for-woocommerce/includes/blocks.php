<?php
namespace Pasarela\Woo;

defined('ABSPATH') || exit;

/** The block checkout. Its fields arrive in $_POST, as those of the classic one. */
final class Blocks extends \Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType
{
    protected $name = ID;

    public function initialize()
    {
        $this->settings = get_option('woocommerce_' . ID . '_settings', []);
    }

    public function is_active()
    {
        $gateway = WC()->payment_gateways()->payment_gateways()[ID] ?? null;
        return $gateway !== null && $gateway->is_available();
    }

    public function get_payment_method_script_handles()
    {
        wp_register_script('pasarela-blocks', plugins_url('assets/blocks.js', FILE),
            ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'], VERSION, true);
        return ['pasarela-blocks'];
    }

    public function get_payment_method_data()
    {
        return [
            'title' => $this->get_setting('title'),
            'description' => $this->get_setting('description'),
            'supports' => ['products', 'refunds'],
            'documents' => Settings::is_on('documents'),
            'types' => Documents::types(),
            'texts' => [
                'type' => __('Type of document', 'pasarela-for-woocommerce'),
                'number' => __('Document number', 'pasarela-for-woocommerce'),
                'missing' => __('Enter the type and the number of your document.', 'pasarela-for-woocommerce'),
            ],
        ];
    }
}
