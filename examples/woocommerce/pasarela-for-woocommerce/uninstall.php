<?php
// The settings go; what orders say of their payments stays, as the shop's books need it.
defined('WP_UNINSTALL_PLUGIN') || exit;

foreach (['woocommerce_pasarela_settings', 'pasarela_woo_secrets', 'pasarela_woo_cursor', 'pasarela_woo_endpoint',
    'pasarela_woo_last_webhook', 'pasarela_woo_last_refused'] as $option) {
    delete_option($option);
}
wp_clear_scheduled_hook('pasarela_woo_catch_up');
// pasarela_woo_shop stays: with another name, a plugin that is installed again would not know its orders.
