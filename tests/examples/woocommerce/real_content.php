<?php
// A must-use plugin of the real WordPress: the stubs of WooCommerce, then the plugin.
if (WP_INSTALLING) {
    return;
}
require_once getenv('STUBS') . '/woocommerce.php';
require $GLOBALS['plugin_folder'] . '/pasarela-for-woocommerce.php';
add_action('plugins_loaded', function (): void {
    do_action('before_woocommerce_init');
    do_action('woocommerce_blocks_loaded');
});
