<?php
/**
 * Plugin Name: Pasarela for WooCommerce
 * Description: PSE, bank transfer and more in Colombian pesos, on Pasarela's payment page. Refunds wait for the operator's decision.
 * Version: 1.0.0
 * Requires at least: 6.1
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 * WC requires at least: 8.2
 * Text Domain: pasarela-for-woocommerce
 * Domain Path: /languages
 */

namespace Pasarela\Woo;

defined('ABSPATH') || exit;

const VERSION = '1.0.0';
const ID = 'pasarela';
const FILE = __FILE__;
const CATCH_UP = 'pasarela_woo_catch_up';

add_action('before_woocommerce_init', function (): void {
    if (class_exists('Automattic\WooCommerce\Utilities\FeaturesUtil')) {
        foreach (['custom_order_tables', 'cart_checkout_blocks'] as $feature) {
            \Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility($feature, FILE, true);
        }
    }
});

add_action('init', function (): void {
    load_plugin_textdomain('pasarela-for-woocommerce', false, dirname(plugin_basename(FILE)) . '/languages');
});

add_action('plugins_loaded', function (): void {
    if (!class_exists('WC_Payment_Gateway')) {
        return; // WooCommerce is switched off
    }
    $parts = ['settings', 'client', 'lock', 'documents', 'attempts', 'checkout', 'events', 'refunds',
        'webhook', 'catch-up', 'gateway', 'admin'];
    foreach ($parts as $part) {
        require_once __DIR__ . "/includes/$part.php";
    }
    add_filter('woocommerce_payment_gateways', fn(array $known): array => [...$known, Gateway::class]);
    add_action('rest_api_init', [Webhook::class, 'register']);
    Checkout::hook();
    Refunds::hook();
    CatchUp::hook();
    Admin::hook();
});

add_action('woocommerce_blocks_loaded', function (): void {
    if (!class_exists('Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType')) {
        return;
    }
    add_action('woocommerce_blocks_payment_method_type_registration', function (object $registry): void {
        require_once __DIR__ . '/includes/blocks.php';
        $registry->register(new Blocks());
    });
});

register_deactivation_hook(FILE, function (): void {
    wp_clear_scheduled_hook(CATCH_UP);
});
