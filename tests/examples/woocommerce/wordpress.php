<?php
// What the plugin uses of WordPress, and nothing else: a call of anything that is not here ends the program.
require __DIR__ . '/world.php';
define('ABSPATH', '/');
define('DB_NAME', 'shop');

final class WP_Error
{
    public function __construct(private string $code = '', private string $message = '')
    {
    }

    public function get_error_message(): string
    {
        return $this->message;
    }
}

final class WP_REST_Request
{
    private array $headers = [];
    private string $body = '';

    public function __construct(public string $method, public string $route)
    {
    }

    public function set_header(string $name, string $value): void
    {
        $this->headers[strtolower($name)] = $value;
    }

    public function set_body(string $body): void
    {
        $this->body = $body;
    }

    public function get_body(): string
    {
        return $this->body;
    }

    public function get_header(string $name): ?string
    {
        return $this->headers[strtolower($name)] ?? null;
    }
}

final class WP_REST_Response
{
    public function __construct(private mixed $data, private int $status)
    {
    }

    public function get_data(): mixed
    {
        return $this->data;
    }

    public function get_status(): int
    {
        return $this->status;
    }
}

$wpdb = new class {
    public string $prefix = 'wp_';

    public function prepare(string $query, mixed ...$values): string
    {
        return vsprintf(str_replace('%s', "'%s'", $query), $values);
    }

    public function get_var(string $query): string
    {
        if (preg_match("/^SELECT GET_LOCK\('[a-z0-9_]{1,64}', 10\)$/", $query)) {
            World::$held += World::$is_locked ? 0 : 1;
            return World::$is_locked ? '0' : '1';
        }
        if (!preg_match('/^SELECT RELEASE_LOCK\(/', $query) || --World::$held < 0) {
            throw new LogicException($query);
        }
        return '1';
    }
};

function add_filter(string $name, callable $work, int $priority = 10, int $count = 1): bool
{
    World::$hooks[$name][] = [$priority, count(World::$hooks[$name] ?? []), $work, $count];
    sort(World::$hooks[$name]);
    return true;
}

function add_action(string $name, callable $work, int $priority = 10, int $count = 1): bool
{
    return add_filter($name, $work, $priority, $count);
}

function apply_filters(string $name, mixed $value, mixed ...$more): mixed
{
    foreach (World::$hooks[$name] ?? [] as [, , $work, $count]) {
        $value = $work(...array_slice([$value, ...$more], 0, $count));
    }
    return $value;
}

function do_action(string $name, mixed ...$given): void
{
    foreach (World::$hooks[$name] ?? [] as [, , $work, $count]) {
        $work(...array_slice($given, 0, $count));
    }
}

function get_option(string $name, mixed $default = false): mixed
{
    return array_key_exists($name, World::$options) ? unserialize(World::$options[$name]) : $default;
}

function update_option(string $name, mixed $value, ?bool $autoload = null): bool
{
    World::$options[$name] = serialize($value);
    return true;
}

function delete_option(string $name): bool
{
    unset(World::$options[$name]);
    return true;
}

function register_deactivation_hook(string $file, callable $work): void
{
    add_action('deactivate', $work);
}

function register_rest_route(string $space, string $route, array $given): bool
{
    if (!isset($given['permission_callback'])) {
        throw new LogicException('WordPress asks for a permission_callback.');
    }
    World::$routes["/$space$route"] = $given;
    return true;
}

function rest_do_request(WP_REST_Request $request): WP_REST_Response
{
    return World::$routes[$request->route]['callback']($request);
}

function rest_url(string $path): string
{
    return World::$home . "/wp-json/$path";
}

function admin_url(string $path): string
{
    return World::$home . "/wp-admin/$path";
}

function wp_remote_request(string $url, array $given): array|WP_Error
{
    $fate = array_shift(World::$network) ?? '';
    World::$requests[] = [$given['method'], $url, $given['headers']['Idempotency-Key'] ?? ''];
    if ($fate === 'cut') {
        return new WP_Error('http_request_failed', 'cURL error 7');
    }
    $lines = array_map(fn($name, $value) => "$name: $value", array_keys($given['headers']), $given['headers']);
    $context = stream_context_create(['http' => ['method' => $given['method'], 'header' => $lines, 'content' => $given['body'] ?? '',
        'timeout' => 30, 'ignore_errors' => true, 'follow_location' => 0, 'user_agent' => $given['user-agent']]]);
    $body = file_get_contents($url, false, $context);
    $head = array_slice($http_response_header, 1);
    $headers = [];
    foreach ($head as $line) {
        [$name, $value] = explode(':', $line, 2);
        $headers[strtolower($name)] = trim($value);
    }
    if ($fate === 'lost') {
        return new WP_Error('http_request_failed', 'cURL error 28');
    }
    return ['body' => $body, 'headers' => $headers, 'response' => ['code' => (int) explode(' ', $http_response_header[0])[1]]];
}

function wp_remote_retrieve_response_code(array $answer): int
{
    return $answer['response']['code'];
}

function wp_remote_retrieve_body(array $answer): string
{
    return $answer['body'];
}

function wp_remote_retrieve_header(array $answer, string $name): string
{
    return $answer['headers'][$name] ?? '';
}

function is_wp_error(mixed $value): bool
{
    return $value instanceof WP_Error;
}

function __(string $text, string $domain): string
{
    if ($domain !== 'pasarela-for-woocommerce') {
        throw new LogicException("Another text domain: $domain");
    }
    return $text;
}

function esc_html__(string $text, string $domain): string
{
    return esc_html(__($text, $domain));
}

function esc_html(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
}

function esc_attr(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
}

function esc_url(string $url): string
{
    return preg_match('~^https?://~', $url) ? htmlspecialchars($url, ENT_QUOTES) : '';
}

function esc_url_raw(string $url, array $protocols): string
{
    return in_array(parse_url($url, PHP_URL_SCHEME), $protocols, true) ? $url : '';
}

function wp_kses_post(string $html): string
{
    return (string) preg_replace('~<script.*?</script>~s', '', $html);
}

function wpautop(string $text): string
{
    return "<p>$text</p>";
}

function wp_strip_all_tags(string $text): string
{
    return trim(strip_tags($text));
}

function sanitize_text_field(string $text): string
{
    return trim((string) preg_replace('/\s+/', ' ', strip_tags($text)));
}

function wp_unslash(string $value): string
{
    return stripslashes($value);
}

function wp_json_encode(mixed $value): string
{
    return json_encode($value, JSON_THROW_ON_ERROR);
}

function wp_generate_uuid4(): string
{
    return vsprintf('%s%s-%s-4%s-a%s-%s%s%s', [...array_map(fn() => bin2hex(random_bytes(2)), range(1, 3)),
        substr(bin2hex(random_bytes(2)), 1), substr(bin2hex(random_bytes(2)), 1), ...array_map(fn() => bin2hex(random_bytes(2)), range(1, 3))]);
}

function wp_parse_url(string $url, int $part): mixed
{
    return parse_url($url, $part);
}

function untrailingslashit(string $text): string
{
    return rtrim($text, '/');
}

function absint(mixed $value): int
{
    return abs((int) $value);
}

function clean_post_cache(int $id): void
{
}

function wp_next_scheduled(string $name): int|false
{
    return World::$scheduled[$name] ?? false;
}

function wp_schedule_event(int $at, string $every, string $name): bool
{
    if (!isset(apply_filters('cron_schedules', [])[$every])) {
        throw new LogicException("Not a schedule: $every");
    }
    World::$scheduled[$name] = $at;
    return true;
}

function wp_clear_scheduled_hook(string $name): void
{
    unset(World::$scheduled[$name]);
}

function load_plugin_textdomain(string $domain, bool $old, string $path): bool
{
    return true;
}

function plugin_basename(string $file): string
{
    return 'pasarela-for-woocommerce/' . basename($file);
}

function plugins_url(string $path, string $file): string
{
    return World::$home . "/wp-content/plugins/pasarela-for-woocommerce/$path";
}

function wp_register_script(string $name, string $url, array $needs, string $version, bool $in_footer): bool
{
    World::$scripts[$name] = $url;
    return true;
}

function get_bloginfo(string $name): string
{
    return 'Café & Té';
}

function wp_date(string $format, int $at): string
{
    return date($format, $at);
}

function wp_nonce_url(string $url, string $action): string
{
    return "$url&_wpnonce=nonce-of-$action";
}

function check_admin_referer(string $action): int
{
    if (($_REQUEST['_wpnonce'] ?? '') !== "nonce-of-$action") {
        throw new Died('The link you followed has expired.');
    }
    return 1;
}

function current_user_can(string $right): bool
{
    return in_array($right, World::$rights, true);
}

function wp_die(string $text, string $title, array $given): never
{
    throw new Died($text);
}

function wp_safe_redirect(string $url): never
{
    throw new Redirected($url);
}

// The real one has done these before a request is served.
function load_plugin(string $folder): void
{
    require $folder . '/pasarela-for-woocommerce.php';
    foreach (['plugins_loaded', 'before_woocommerce_init', 'woocommerce_blocks_loaded', 'init', 'rest_api_init'] as $name) {
        do_action($name);
    }
}
