<?php
namespace Pasarela\Woo;

defined('ABSPATH') || exit;

final class Gateway extends \WC_Payment_Gateway
{
    private const LEAST = 100000; // centavos: 1000 COP

    public function __construct()
    {
        $this->id = ID;
        $this->method_title = 'Pasarela';
        $this->method_description = __('Buyers pay in pesos on the page of Pasarela.', 'pasarela-for-woocommerce');
        $this->has_fields = true;
        $this->supports = ['products', 'refunds'];
        $this->init_form_fields();
        $this->init_settings();
        $this->title = $this->get_option('title');
        $this->description = $this->get_option('description');
        add_action('woocommerce_update_options_payment_gateways_' . ID, [$this, 'process_admin_options']);
    }

    public function init_form_fields(): void
    {
        $this->form_fields = Admin::fields();
    }

    public function is_available()
    {
        if (!parent::is_available() || get_woocommerce_currency() !== 'COP' || !Settings::is_complete()) {
            return false;
        }
        $total = cents($this->get_order_total());
        return $total === 0 || $total >= self::LEAST;
    }

    public function payment_fields()
    {
        if ($this->description) {
            echo wp_kses_post(wpautop($this->description));
        }
        if (!Settings::is_on('documents')) {
            return;
        }
        woocommerce_form_field('pasarela_doc_type', ['type' => 'select', 'required' => true, 'options' => Documents::types(),
            'label' => __('Type of document', 'pasarela-for-woocommerce'), 'class' => ['form-row-first']]);
        woocommerce_form_field('pasarela_doc_number', ['type' => 'text', 'required' => true, 'maxlength' => 20,
            'label' => __('Document number', 'pasarela-for-woocommerce'), 'class' => ['form-row-last']]);
    }

    public function validate_fields()
    {
        $problem = Settings::is_on('documents') ? $this->problem_of(...$this->document()) : '';
        if ($problem !== '') {
            wc_add_notice($problem, 'error');
        }
        return $problem === '';
    }

    public function process_payment($order_id)
    {
        try {
            $page = Lock::hold((int) $order_id, function (\WC_Order $order): string {
                if ($order->get_currency() !== 'COP') {
                    throw new ApiError(400, 'NOT_COP', __('Only orders in Colombian pesos can be paid here.', 'pasarela-for-woocommerce'));
                }
                if (Settings::is_on('documents')) {
                    [$type, $number] = $this->document();
                    $order->update_meta_data('_pasarela_doc_type', $type);
                    $order->update_meta_data('_pasarela_doc_number', Documents::normalised($type, $number));
                    $order->save();
                }
                return $order->get_date_paid() ? $this->get_return_url($order) : (new Checkout($order, new Client()))->next_page();
            });
        } catch (PaymentUnderWay) {
            return $this->failed(__('A payment of another amount is under way for this order. Wait until it ends.', 'pasarela-for-woocommerce'));
        } catch (ApiError $error) {
            $is_buyers = $error->reason === 'NOT_COP';
            return $this->failed($is_buyers ? $error->getMessage() : __('The payment could not be started. Try again in a minute.', 'pasarela-for-woocommerce'));
        } catch (Locked) {
            return $this->failed(__('This order is being paid already. Try again in a minute.', 'pasarela-for-woocommerce'));
        }
        return ['result' => 'success', 'redirect' => (string) $page];
    }

    public function process_refund($order_id, $amount = null, $reason = '')
    {
        try {
            $done = Lock::hold((int) $order_id, fn(\WC_Order $order) => Refunds::ask($order, cents($amount ?? 0), (string) $reason));
            return $done ?? false;
        } catch (Locked $error) {
            return new \WP_Error('pasarela', $error->getMessage());
        }
    }

    /** Not printed: a secret leaves this page only to be replaced. */
    public function generate_pasarela_secret_html($key, $data)
    {
        $name = $this->get_field_key($key);
        $count = $key === 'api_secret' ? (int) (Settings::api_secret() !== '') : count(Settings::webhook_secrets());
        $saved = $count === 0 ? __('Not set', 'pasarela-for-woocommerce')
            /* translators: %d: how many secrets */
            : sprintf(__('Saved: %d. Leave it empty to keep it.', 'pasarela-for-woocommerce'), $count);
        return '<tr valign="top"><th scope="row" class="titledesc"><label for="' . esc_attr($name) . '">' . esc_html($data['title'])
            . '</label></th><td class="forminp"><input type="password" class="input-text regular-input" autocomplete="new-password" name="'
            . esc_attr($name) . '" id="' . esc_attr($name) . '" value="" placeholder="' . esc_attr($saved) . '"><p class="description">'
            . esc_html($data['description'] ?? '') . '</p></td></tr>';
    }

    public function validate_pasarela_secret_field($key, $value)
    {
        $given = trim(wp_unslash((string) $value));
        if ($given === '') {
            return '';
        }
        if ($key === 'api_secret') {
            Settings::save_api_secret($given);
            CatchUp::begin_again();
        } elseif (preg_match('/\Awhsec_[A-Za-z0-9+\/]{22,}={0,2}\z/', $given)) {
            Settings::add_webhook_secret($given);
        } else {
            $this->add_error(__('The webhook secret begins with whsec_.', 'pasarela-for-woocommerce'));
        }
        return ''; // WooCommerce keeps and prints what is returned
    }

    public function validate_api_url_field($key, $value)
    {
        $address = untrailingslashit(esc_url_raw(trim(wp_unslash((string) $value)), ['https', 'http']));
        if ($address !== '' && !Settings::is_safe_address($address)) {
            $this->add_error(__('The address must begin with https://.', 'pasarela-for-woocommerce'));
            return $this->get_option('api_url');
        }
        if ($address !== $this->get_option('api_url')) {
            CatchUp::begin_again();
        }
        return $address;
    }

    public function process_admin_options()
    {
        $saved = parent::process_admin_options();
        if ($this->get_option('forget_old_secret') === 'yes') {
            Settings::save_webhook_secrets(array_slice(Settings::webhook_secrets(), 0, 1));
            $this->update_option('forget_old_secret', 'no');
        }
        $this->display_errors();
        return $saved;
    }

    public function admin_options()
    {
        parent::admin_options();
        Admin::print_webhook();
    }

    /** What the buyer sent; the block checkout's fields come as the classic one's. @return string[] */
    private function document(): array
    {
        $read = fn(string $name): string => sanitize_text_field(wp_unslash((string) ($_POST[$name] ?? ''))); // WooCommerce checks the nonce
        return [$read('pasarela_doc_type'), $read('pasarela_doc_number')];
    }

    private function problem_of(string $type, string $number): string
    {
        $normal = Documents::normalised($type, $number);
        if ($normal === '') {
            return __('Enter the type and the number of your document.', 'pasarela-for-woocommerce');
        }
        // Some real NIT do not follow the rule: the buyer is asked once, and may insist.
        if ($type === 'NIT' && !Documents::has_usual_digit($normal) && WC()->session?->get('pasarela_nit') !== $normal) {
            WC()->session?->set('pasarela_nit', $normal);
            /* translators: %d: a digit */
            return sprintf(__('The check digit of this NIT should be %d. Correct it, or send it again if your RUT says so.', 'pasarela-for-woocommerce'), Documents::check_digit(substr($normal, 0, 9)));
        }
        return '';
    }

    private function failed(string $notice): array
    {
        wc_add_notice($notice, 'error');
        return ['result' => 'failure'];
    }
}
