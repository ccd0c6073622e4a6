<?php
// A real WordPress with WooCommerce's stubs: its folder is in WORDPRESS, its database in DATABASE (a socket).
// real_wordpress.php FOLDER_OF_THE_PLUGIN install: makes its tables.
require_once __DIR__ . '/world.php';
$_SERVER = ['HTTP_HOST' => 'tienda.example', 'SERVER_PROTOCOL' => 'HTTP/1.1', 'REQUEST_METHOD' => 'GET', 'REQUEST_URI' => '/'] + $_SERVER;
$given = ['ABSPATH' => getenv('WORDPRESS') . '/', 'DB_NAME' => 'shop', 'DB_USER' => 'root', 'DB_PASSWORD' => '', 'DB_CHARSET' => 'utf8mb4',
    'DB_COLLATE' => '', 'DB_HOST' => 'localhost:' . getenv('DATABASE'), 'WP_HOME' => World::$home, 'WP_SITEURL' => World::$home,
    'WP_DEBUG' => false, 'DISABLE_WP_CRON' => true, 'WP_CONTENT_DIR' => getenv('CONTENT'), 'WP_INSTALLING' => ($argv[2] ?? '') === 'install'];
foreach ($given as $name => $value) {
    define($name, $value);
}
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $name) {
    define("{$name}_KEY", "only for tests $name");
    define("{$name}_SALT", "only for tests, too, $name");
}
$table_prefix = 'wp_';
$GLOBALS['plugin_folder'] = $argv[1];
require ABSPATH . 'wp-settings.php'; // CONTENT/mu-plugins loads the plugin

if (WP_INSTALLING) {
    require ABSPATH . 'wp-admin/includes/upgrade.php';
    add_filter('pre_wp_mail', '__return_true');
    wp_install('Café & Té', 'admin', 'admin@tienda.example', false, '', 'only-for-tests');
    exit(0);
}

add_filter('pre_http_request', function (mixed $done, array $given, string $url): mixed {
    static $is_inside = false;
    if ($is_inside) {
        return $done;
    }
    World::$requests[] = [$given['method'], $url, $given['headers']['Idempotency-Key'] ?? ''];
    $fate = array_shift(World::$network) ?? '';
    if ($fate === 'lost') {
        $is_inside = true;
        wp_remote_request($url, $given);
        $is_inside = false;
    }
    return $fate === '' ? $done : new WP_Error('http_request_failed', 'cURL error');
}, 10, 3);
