<?php
namespace Pasarela\Woo;

defined('ABSPATH') || exit;

/** Documents of the payer, as banks ask for them. */
final class Documents
{
    private const FORMS = ['CC' => '/^\d{6,10}$/', 'CE' => '/^[A-Z0-9]{4,12}$/', 'NIT' => '/^\d{9,10}$/', 'PP' => '/^[A-Z0-9]{4,12}$/'];
    private const WEIGHTS = [3, 7, 13, 17, 19, 23, 29, 37, 41];

    /** @return array<string, string> */
    public static function types(): array
    {
        return [
            'CC' => __('Cédula (CC)', 'pasarela-for-woocommerce'),
            'CE' => __('Cédula of a foreigner (CE)', 'pasarela-for-woocommerce'),
            'NIT' => __('Company (NIT)', 'pasarela-for-woocommerce'),
            'PP' => __('Passport (PP)', 'pasarela-for-woocommerce'),
        ];
    }

    /** Without dots and spaces; a NIT as 900123456-8. Empty if it is none. */
    public static function normalised(string $type, string $number): string
    {
        $plain = strtoupper((string) preg_replace('/[\s.\-]/u', '', $number));
        if (!preg_match(self::FORMS[$type] ?? '/(?!)/', $plain)) {
            return '';
        }
        if ($type !== 'NIT') {
            return $plain;
        }
        $base = substr($plain, 0, 9);
        return $base . '-' . (strlen($plain) === 10 ? $plain[9] : self::check_digit($base));
    }

    /** Whether the last digit of a normalised NIT follows the rule of the DIAN. Some real ones do not. */
    public static function has_usual_digit(string $nit): bool
    {
        return (int) substr($nit, -1) === self::check_digit(substr($nit, 0, 9));
    }

    public static function check_digit(string $base): int
    {
        $sum = 0;
        foreach (array_reverse(str_split($base)) as $place => $digit) {
            $sum += (int) $digit * self::WEIGHTS[$place];
        }
        return $sum % 11 < 2 ? $sum % 11 : 11 - $sum % 11;
    }
}
