<?php
// What a test sees and changes of the shop's surroundings.
final class World
{
    public static array $hooks = [];
    public static array $options = [];
    public static array $routes = [];
    public static array $scheduled = [];
    public static array $log = [];
    public static array $notices = [];
    public static array $scripts = [];
    public static array $rights = [];
    public static array $session = [];
    public static bool $is_locked = false;
    public static int $held = 0;
    /** What happens to the next requests: '' goes through, 'lost' is answered but the answer is lost, 'cut' never leaves. */
    public static array $network = [];
    public static array $requests = [];
    public static string $home = 'https://tienda.example';
    public static string $currency = 'COP';
    public static float $cart_total = 120000;
}

final class Redirected extends Exception
{
}

final class Died extends Exception
{
}
