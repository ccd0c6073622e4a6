<?php
namespace Pasarela\Woo;

defined('ABSPATH') || exit;

/**
 * The collection orders that were made for one WooCommerce order, kept in its meta. A reference can be
 * used once, and FAILED and EXPIRED are final, so each try to pay has one of its own.
 */
final class Attempts
{
    private const META = '_pasarela_attempts';
    private const COUNTER = '_pasarela_counter';
    /** SENDING: it is not known whether the service has it. */
    public const OPEN = ['SENDING', 'PENDING', 'PROCESSING', 'WAITING_TRANSFER'];

    public function __construct(private readonly \WC_Order $order)
    {
    }

    /** The newest first. @return array<int, array> */
    public function all(): array
    {
        $saved = $this->order->get_meta(self::META);
        return is_array($saved) ? array_reverse($saved) : [];
    }

    public function is_newest(array $attempt): bool
    {
        return ($this->all()[0]['reference'] ?? '') === $attempt['reference'];
    }

    public function find(string $id, string $reference): ?array
    {
        foreach ($this->all() as $attempt) {
            if (($id !== '' && $attempt['id'] === $id) || $attempt['reference'] === $reference) {
                return $attempt;
            }
        }
        return null;
    }

    /** Saved before it is sent: whatever happens then, the key and the reference are known. */
    public function begin(int $base, string $hash): array
    {
        $number = (int) $this->order->get_meta(self::COUNTER) + 1;
        $this->order->update_meta_data(self::COUNTER, $number);
        return $this->save([
            'reference' => sprintf('WC-%s-%d-%d', Settings::shop(), $this->order->get_id(), $number),
            'key' => wp_generate_uuid4(), 'base' => $base, 'hash' => $hash,
            'id' => '', 'url' => '', 'expires' => 0, 'status' => 'SENDING', 'retry_of' => '',
        ]);
    }

    /** What the service says of a collection order that this shop made, or that a payer's retry made of it. */
    public function learn(array $data, ?array $attempt = null): array
    {
        $attempt ??= $this->find((string) $data['id'], (string) $data['reference']) ?? [
            'reference' => (string) $data['reference'], 'key' => '', 'base' => cents($data['baseAmount'] ?? 0),
            'hash' => $this->find((string) ($data['retryOf'] ?? ''), '')['hash'] ?? '',
            'url' => '', 'expires' => 0, 'status' => 'PENDING', 'retry_of' => (string) ($data['retryOf'] ?? ''),
        ];
        $attempt['id'] = (string) $data['id'];
        if ($attempt['status'] !== 'COMPLETED') { // final; older news may come later
            $attempt['status'] = (string) $data['status'];
        }
        if (isset($data['collectUrl'], $data['expiresAt']) && preg_match('~^https?://~', (string) $data['collectUrl'])) {
            $attempt['url'] = (string) $data['collectUrl'];
            $attempt['expires'] = (int) strtotime((string) $data['expiresAt']);
        }
        return $this->save($attempt);
    }

    public function save(array $attempt): array
    {
        $saved = array_reverse($this->all());
        $places = array_keys(array_column($saved, 'reference'), $attempt['reference'], true);
        $saved[$places[0] ?? count($saved)] = $attempt;
        $this->order->update_meta_data(self::META, $saved);
        $this->order->save();
        return $attempt;
    }
}
